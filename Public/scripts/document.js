// Finds the parts of the page, its rows and its texts.

// The first element that matches, or undefined where the parent is missing.
export const one = (selector, parent = document) => parent?.querySelector(selector);
export const all = (selector, parent = document) => [...parent?.querySelectorAll(selector) ?? []];
export const on = addEventListener;

export const list = () => one("#list");
// A loop over children: a selector would visit every cell.
export const childrenOf = (parent, prefix) => [...parent?.children ?? []].filter((child) => child.id.startsWith(prefix));
export const sections = () => childrenOf(list(), "s-");
export const rowContainer = (section) => section.tagName === "TBODY" ? section : one(".grid", section);
export const rowsOf = (section) => childrenOf(rowContainer(section), "r-");
export const allRows = () => sections().flatMap(rowsOf);
export const focusedRow = () => document.activeElement.closest("#list [id^=r-]");
export const linkOf = (row) => one(":is(th, h2, h3) a", row);
export const addressOfRow = (row) => linkOf(row)?.href.split("?")[0];
export const idOf = (row) => decodeURIComponent(row.id.slice(2));
export const headers = () => all("thead [data-c]");

export const top = (element) => element.getBoundingClientRect().top;
// The lower edge of the sticky header, where visible rows begin.
export const listTop = () => Math.max(0, one(".wide") ? top(one(".wide")) : 0);

export const number = (value) => value.toLocaleString(document.documentElement.lang);
// A text of the page, with a number or a name in place of its "%".
export const text = (name, value = "") =>
  (one("#status")?.dataset[name] ?? "").replace("%", () => typeof value === "number" ? number(value) : value);
// Elements in which a click does something of its own.
export const controls = "a, button, input, select, textarea, summary, label, form";
// Items of a parameter, which are quoted where they have a comma.
export const joinList = (items) => [...items].map((item) => /^"|,/.test(item) ? `"${item.replaceAll('"', '""')}"` : item).join();
export const splitList = (list) => [...list.matchAll(/"((?:[^"]|"")*)"(?:,|$)|([^,]+)/g)].map(([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain);
// A message for screen readers.
export const announce = (message) => setTimeout(() => one("#status") && (one("#status").textContent = message ?? ""));

// The typed values that are not saved. A browser that refuses storage keeps it with the page.
export const drafts = (() => {
  try {
    return sessionStorage;
  } catch {
    return {};
  }
})();

export const create = (tag, properties) => Object.assign(document.createElement(tag), properties);
export const button = (textContent, ariaLabel = null) => create("button", { type: "button", className: "btn", textContent, ariaLabel });
export const isModified = (event) => event.ctrlKey || event.metaKey || event.shiftKey;
export const nextFrame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));

export function parseFragment(html) {
  const template = document.createElement("template");
  template.innerHTML = html;
  return template.content;
}

// A page of this server; pages of problems are pages, too.
export async function fetchPage(address, options) {
  const response = await fetch(address, { headers: { Accept: "text/html" }, ...options });
  return { response, page: new DOMParser().parseFromString(await response.text(), "text/html") };
}

export const postPage = (address, fields) => fetchPage(address, { method: "POST", body: new URLSearchParams(fields) });

export function openMenu(key) {
  const menu = one(`[data-key=${key}]`);
  menu?.setAttribute("open", "");
  one("input:not([type=hidden]), select, a, button", menu)?.focus();
}
