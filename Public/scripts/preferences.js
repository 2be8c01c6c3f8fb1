// Saved views and choices that this browser stores.

import { all, button, create, nextFrame, on, one, text } from "./document.js";
import { layoutHash } from "./layout.js";
import { shown } from "./navigation.js";

// A browser that refuses storage forgets them with the page.
export const storage = (() => {
  try {
    return localStorage;
  } catch {
    return {};
  }
})();

export const isOn = (name) => storage[name] === "on";

const viewsKey = `views:${location.pathname.replace(/\.html$/, "")}`;
const savedViews = () => JSON.parse(storage[viewsKey] ?? "[]");
const viewAddress = () => new URL(shown, location).search + (layoutHash() && `#${layoutHash()}`);

function showViews() {
  one("#views")?.replaceChildren(...savedViews().map(({ name, address }) => {
    const item = create("li"), link = create("a", { href: location.pathname + address, textContent: name });
    if (address === viewAddress()) link.ariaCurrent = "true";
    const forget = button("×", text("forget", name));
    forget.dataset.forget = name;
    item.append(link, forget);
    return item;
  }));
}

function saveViews(views) {
  storage[viewsKey] = JSON.stringify(views);
  showViews();
}

export function applyPreferences() {
  document.documentElement.classList.toggle("compact", isOn("compact"));
  for (const box of all("[data-own]")) box.checked = isOn(box.dataset.own);
  showViews();
}

on("change", ({ target }) => {
  if (target.id === "single") storage.keys = target.checked ? "on" : "off";
  if (!target.dataset.own) return;
  storage[target.dataset.own] = target.checked ? "on" : "off";
  nextFrame().then(applyPreferences);
});

on("submit", (event) => {
  if (event.target.id !== "view") return;
  event.preventDefault();
  const field = event.target.elements.view, name = field.value.trim();
  if (!name) return;
  saveViews([...savedViews().filter((view) => view.name !== name), { name, address: viewAddress() }]);
  field.value = "";
});

on("click", ({ target }) => {
  if (target.matches("#views a")) target.closest("details").open = false;
  if (target.dataset.forget) saveViews(savedViews().filter((view) => view.name !== target.dataset.forget));
});
