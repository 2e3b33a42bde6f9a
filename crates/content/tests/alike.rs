//! What is made alike is decided alike: the posts of a thread, the paragraphs of an article.

use lopper_content::{ExtractOptions, extract};

const AROUND: [&str; 2] = [
    "<nav><ul><li><a href=/>Home</a><li><a href=/forum>Forum</a><li><a href=/login>Log in</a></ul></nav>",
    "<footer><p>© 2024 Example. <a href=/privacy>Privacy policy</a> <a href=/terms>Terms</a></p></footer>",
];

/// Long and short ones, with links, quotes, and next to nothing in them.
const POSTS: [&str; 9] = [
    "My mill turns in the wind, but the stones stand still. What did I forget? The cogs were oiled in spring, and nothing has been changed since.",
    "Did you look at the brake? Mine was stuck for weeks before I saw it, since it is behind the great wheel.",
    "The same here since last week, any news of it?",
    "See <a href=/t/12>this thread</a>, it has all about brakes.",
    "The brake was it. Thank you all, the flour is as fine as ever!",
    "One more thing: when the brake is off and the stones still stand, look whether the wedge between spindle and nut has worked loose, which is easily seen by the light of a lamp from below.",
    "You are welcome, that is what we are here for.",
    "I had that too, in 2019, and needed a new wedge of oak. Any joiner makes one in an hour.",
    "Closed as solved by the one who asked.",
];

#[test]
fn the_posts_of_a_thread_are_kept_together() {
    let post = |(at, text): (usize, &&str)| {
        format!(
            "<div class=post id=p{at}><div class=author><a href=/u/{at}>miller{at}</a></div><div class=date>{at} May 2021</div>\
             <div class=body><p>{text}</p></div></div>"
        )
    };
    let posts: Vec<String> = POSTS.iter().enumerate().map(post).collect();
    let thread = format!("<h1>Stones stand still</h1><div class=thread>{}</div>", posts.concat());
    let kept = text(&format!("<title>Stones stand still - Forum</title>{}{thread}{}", AROUND[0], AROUND[1]));
    let is_lost = |post: &&&str| !kept.contains(post.split('<').next().unwrap().trim());
    let lost: Vec<&&str> = POSTS.iter().filter(is_lost).collect();
    // A notice of few words may go; what says more stays.
    let is_short = |post: &&&str| post.split_whitespace().count() < 10;
    assert!(lost.len() < 2 && lost.iter().all(is_short), "{lost:?} are not in {kept}");
}

#[test]
fn a_long_article_is_not_cut_in_half() {
    let subjects = ["wind", "water", "stone", "corn", "miller", "wheel", "river", "village", "bridge", "winter"];
    let paragraph = |at: usize| {
        let (one, other) = (subjects[at % 10], subjects[(at * 7 + at / 10 + 3) % 10]);
        format!(
            "<p>In year {at} the {one} was told of more than the {other}, and those who had seen both said that \
             neither had been as good as the one before it.</p>"
        )
    };
    let paragraphs: Vec<String> = (0..120).map(paragraph).collect();
    let head = "<title>The mill</title>";
    let kept = text(&format!("{head}{}<main><h1>The mill</h1>{}</main>{}", AROUND[0], paragraphs.concat(), AROUND[1]));
    assert_eq!(kept.matches("neither had been as good").count(), 120, "{kept}");
    assert!(!kept.contains("Privacy") && !kept.contains("Log in"), "{kept}");
}

fn text(html: &str) -> String {
    extract(html, &ExtractOptions::default()).text()
}
