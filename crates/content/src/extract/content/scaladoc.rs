//! Scaladoc's pages: what it says twice, its lists of members, and its declarations.

use super::classes::class;
use super::marks::Marks;
use crate::dom::{Dom, DomId, Tag, classes};

/// Elements of a full comment that are looked at for its first words.
const NODES_MAX: usize = 32;

/// Whether a paragraph is the first sentence of the comment that stands whole behind it, and is kept (Scaladoc 2).
pub(super) fn is_short_comment(dom: &Dom, marks: &Marks, element: DomId) -> bool {
    if !dom.has_class(element, classes!["shortcomment"]) {
        return false;
    }
    let mut behind = std::iter::successors(dom.next_sibling(element), |id| dom.next_sibling(*id)).take(2);
    let full = behind.find(|id| !dom.is_blank(*id)).filter(|id| dom.has_class(*id, classes!["fullcomment"]));
    full.is_some_and(|full| {
        let mut words =
            dom.descendants(full).take(NODES_MAX).filter(|id| dom.text(*id).is_some() && !dom.is_blank(*id));
        words.next().is_some_and(|first| marks.is_kept(first))
    })
}

/// Whether a numbered list has the members of a class, each with a heading (Scaladoc 2). Its style shows no numbers.
pub(super) fn is_list_of_members(dom: &Dom, list: DomId) -> bool {
    let is_members = |around: DomId| dom.has_class(around, classes!["members"]);
    dom.tag(list) == Some(Tag::Ol) && dom.parent(list).is_some_and(is_members)
}

/// Whether a division is the declaration of a class or a member (Scaladoc 3).
pub(in crate::extract) fn is_declaration(dom: &Dom, element: DomId) -> bool {
    let is_head = |around: DomId| class(dom, around).contains("monospace") && dom.has_class(around, classes!["header"]);
    dom.has_class(element, classes!["main-signature"])
        || (dom.has_class(element, classes!["signature"]) && dom.parent(element).is_some_and(is_head))
}

#[cfg(test)]
mod tests {
    use super::super::tests::markdown;

    #[test]
    fn members_are_sections_that_say_things_once() {
        let link =
            "<span class=permalink><a href='../i.html#M@turn' title=Permalink><img src=p.png alt=Permalink></a></span>";
        let full = "<div class=fullcomment><div class='comment cmt'><p>It turns. Slowly.</p></div></div>";
        let member = |full: &str| {
            format!("<div id=values class='values members'><h3>Values</h3><ol><li><h4 class=signature>def turn</h4>{link}
                <p class='shortcomment cmt'>It turns.</p>{full}</li><li><h4>def stop</h4>{link}<p class='shortcomment cmt'>It stands.</p></li></ol></div>")
        };
        let rest = "#### def stop\n\nIt stands.\n";
        assert_eq!(markdown(&member(full)), format!("### Values\n\n#### def turn\n\nIt turns. Slowly.\n\n{rest}"));
        let dropped = full.replace("<p>", "<p>DROP ");
        assert_eq!(markdown(&member(&dropped)), format!("### Values\n\n#### def turn\n\nIt turns.\n\n{rest}"));
    }

    #[test]
    fn declarations_are_code() {
        let html = "<div class='main-signature mono-small-inline'><div class=signature><span>trait </span><a href=M>Mill</a>[F[_]]</div></div>
            <div class='header monospace mono-medium'><button class=icon-button></button>
            <div class=signature><span>def </span><a href=M#turn>turn</a>[A](n: A): F[A]</div></div><p>It turns.";
        assert_eq!(
            markdown(html),
            "```scala\ntrait Mill[F[_]]\n```\n\n```scala\ndef turn[A](n: A): F[A]\n```\n\nIt turns.\n"
        );
    }
}
