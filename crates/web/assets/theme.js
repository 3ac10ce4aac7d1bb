// @ts-check
/** Puts on a page what this device has chosen, before anything is drawn. Without storage all stays as usual. */
try {
  const chosen = JSON.parse(localStorage.getItem("greenwave-settings") ?? "{}");
  for (const name of ["theme", "letters", "patterns"])
    if (typeof chosen[name] === "string") document.documentElement.dataset[name] = chosen[name];
  const here = new URL(location.href);
  const isOther = ["en", "pt", "es", "de"].includes(chosen.lang) && chosen.lang !== document.documentElement.lang;
  if (isOther && !here.searchParams.has("lang") && window === parent) {
    here.searchParams.set("lang", chosen.lang);
    location.replace(here);
  }
} catch {
  // As usual.
}
