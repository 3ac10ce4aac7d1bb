use greenwave_game::{Game, Variant};
use greenwave_picture::{Lettering, Picture, PngError, png, png_bytes};

fn svg() -> String {
    let Variant::Board(game) = Variant::parse("classic-3x4").unwrap() else {
        unreachable!()
    };
    let diagram = game.diagram(&game.start());
    let mut picture = Picture::new(&diagram, "start");
    picture.lettering = Lettering::Strokes;
    picture.svg()
}

#[test]
fn a_png_has_the_width_asked_for() {
    let bytes = png(&svg(), 400).unwrap();
    assert!(bytes.starts_with(b"\x89PNG\r\n\x1a\n"));
    assert_eq!(bytes[16..20], 400_u32.to_be_bytes());
}

#[test]
fn absurd_widths_are_refused() {
    for width in [0, 15, 8193, u32::MAX] {
        let error = png(&svg(), width).unwrap_err();
        assert!(matches!(error, PngError::Width { found } if found == width));
        assert!(error.to_string().contains("16 to 8192"), "{error}");
        assert!(png_bytes(&svg(), width).is_err());
    }
}

#[test]
fn memory_grows_with_the_pixels_of_a_png() {
    for (width, height) in [(100, 80_u64), (4000, 3000)] {
        let bytes = png_bytes(&svg(), width).unwrap();
        let pixels = u64::from(width) * height;
        assert!(
            (pixels * 4..pixels * 12).contains(&bytes),
            "{width}: {bytes}"
        );
    }
}
