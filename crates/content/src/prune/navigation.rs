//! What the content judge must say of navigation and lists of links for them to go or stay.

use crate::page_type::PageType;

/// Mean probability below which a block is noise to the judge: measured on single pages of seven kinds and on documentation, where more
/// costs answers.
pub(super) const NOISE_MAX: f32 = 0.07;

/// Mean probabilities of being content by which navigation and lists of links go or stay where a judge was asked.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NavigationBounds {
    /// Below it, in [0, 1], they are noise to the judge too, and go however much of the page they are.
    pub noise_max: f32,
    /// From it on they are content to the judge, as the products of a shop and the posts of a front page are, and stay beside what is more
    /// similar; from half of it on where most of three or more lists beside each other are. Above 2 none is.
    pub content_min: f32,
}

impl NavigationBounds {
    /// Of pages of a type: in documentation, lists of links within the text are rarely what a page is for.
    pub fn of(page_type: Option<PageType>) -> Self {
        match page_type {
            Some(PageType::Documentation) => Self { noise_max: 0.2, content_min: f32::INFINITY },
            _ => Self::default(),
        }
    }
}

/// Of pages of any type.
impl Default for NavigationBounds {
    fn default() -> Self {
        Self { noise_max: NOISE_MAX, content_min: 0.35 }
    }
}
