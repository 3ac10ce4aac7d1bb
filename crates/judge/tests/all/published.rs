//! The explorer's statements about the built-in claims before it has checked them.

use std::path::Path;

use greenwave_judge::claims::{BUILT_IN, BUILT_IN_NAME, published_verdict, read_claims};

#[test]
fn every_built_in_claim_has_the_verdict_of_its_page() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/claims.md");
    let page = std::fs::read_to_string(page).unwrap();
    let claims = read_claims(BUILT_IN_NAME, BUILT_IN).unwrap();
    assert_eq!(claims.len(), page.matches("\n## Claim ").count());
    for claim in claims {
        let verdict = published_verdict(&claim.id).map(|verdict| verdict.name());
        let (_, after) = page
            .split_once(&format!("\n## Claim {}\n", claim.id))
            .unwrap();
        let (_, printed) = after.split_once("\n**").unwrap();
        let printed = printed.split("**").next();
        assert_eq!(
            verdict, printed,
            "claim {}; 'just claims' writes it",
            claim.id
        );
    }
}
