//! Files that pages load: the style sheet, the script, the icon.

use std::sync::LazyLock;

use greenwave_game::Rules;

use crate::explorer::Explorer;

/// A file.
pub(crate) struct Asset {
    pub(crate) path: &'static str,
    pub(crate) media_type: &'static str,
    pub(crate) text: String,
    /// Changes with the text.
    pub(crate) hash: String,
}

pub(crate) static ASSETS: LazyLock<[Asset; 4]> = LazyLock::new(|| {
    let [light, dark] = greenwave_picture::CSS;
    let style = include_str!("../assets/style.css");
    [
        asset(
            "/assets/style.css",
            "text/css; charset=utf-8",
            format!(
                "{light}\n@media (prefers-color-scheme:dark){{@media screen{{:root:not([data-theme=light]){{{dark}}}}}}}\n\
                 @media screen{{:root[data-theme=dark]{{{dark}}}}}\n{style}"
            ),
        ),
        asset(
            "/assets/theme.js",
            "text/javascript; charset=utf-8",
            include_str!("../assets/theme.js").into(),
        ),
        asset(
            "/assets/explorer.js",
            "text/javascript; charset=utf-8",
            include_str!("../assets/explorer.js").into(),
        ),
        asset(
            "/assets/icon.svg",
            "image/svg+xml",
            include_str!("../assets/icon.svg").into(),
        ),
    ]
});

fn asset(path: &'static str, media_type: &'static str, text: String) -> Asset {
    let hash = Rules::hash_of(&text).to_string()[..16].to_string();
    Asset {
        path,
        media_type,
        text,
        hash,
    }
}

/// The file of a path.
pub(crate) fn by_path(path: &str) -> Option<&'static Asset> {
    ASSETS.iter().find(|asset| asset.path == path)
}

/// The address of a file, with its hash.
pub(crate) fn address(explorer: &Explorer, path: &str) -> String {
    if explorer.in_folder {
        return path.rsplit('/').next().unwrap_or(path).into();
    }
    let hash = by_path(path).map_or("", |asset| &asset.hash);
    format!("{}{path}?{hash}", explorer.base)
}
