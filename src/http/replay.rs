//! Links to a replay of captures.

use lopper_collection::search::SearchResponse;

use super::dates::replay_time;
use crate::markup::is_web;

/// Where a replay shows the capture of `url` at that time (RFC 3339), by a template; `None` where that would lead elsewhere than to the web.
pub(crate) fn replay_url(template: &str, url: &str, captured_at: Option<&str>) -> Option<String> {
    let time = captured_at.and_then(replay_time).filter(|_| is_web(url))?;
    Some(template.replace("{timestamp}", &time).replace("{url}", url)).filter(|address| is_web(address))
}

/// Adds the replays to an answer.
pub(super) fn with_replays(template: &str, mut response: SearchResponse) -> SearchResponse {
    for page in &mut response.pages {
        page.replay_url = replay_url(template, &page.url, page.captured_at.as_deref());
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_are_filled() {
        let replay = |template: &str, url: &str, time| replay_url(template, url, time);
        let time = Some("2008-04-30T20:48:25Z");
        let address = replay("https://replay.example/all/{timestamp}mp_/{url}", "http://e.org/?a={timestamp}", time);
        assert_eq!(
            address.as_deref(),
            Some("https://replay.example/all/20080430204825mp_/http://e.org/?a={timestamp}"),
            "what is filled in is not filled again"
        );
        assert_eq!(replay("https://r/{timestamp}/{url}", "javascript:x()", time), None);
        assert_eq!(replay("https://r/{timestamp}/{url}", "http://e.org/", None), None);
        assert_eq!(replay("javascript:{url}", "http://e.org/", time), None);
    }
}
