//! The pages of a folder that need no script.

/// The pages that a folder has as files, with their addresses: they can be read without a script.
pub(crate) const FIRST_PAGES: [(&str, &str); 12] = [
    ("index.html", "/"),
    ("index.pt.html", "/?lang=pt"),
    ("index.es.html", "/?lang=es"),
    ("index.de.html", "/?lang=de"),
    ("classic-3x3.html", "/classic-3x3"),
    ("semaforo.html", "/semaforo"),
    ("signal-3x3.html", "/signal-3x3"),
    ("points-3x4.html", "/points-3x4"),
    ("slider.html", "/slider"),
    ("strip.html", "/strip"),
    ("bag-classic-3x3.html", "/bag-classic-3x3"),
    ("ampel-4-2-1.html", "/ampel-4-2-1"),
];
