// @ts-check
/** Puts on a page what this device has chosen, before anything is drawn. Without storage all stays as usual. */
try {
  const chosen = JSON.parse(localStorage.getItem("greenwave-settings") ?? "{}");
  for (const name of ["theme", "letters", "patterns"])
    if (typeof chosen[name] === "string") document.documentElement.dataset[name] = chosen[name];
} catch {
  // As usual.
}
