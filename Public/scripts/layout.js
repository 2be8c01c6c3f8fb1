// Pinned columns and widths. The fragment of the address has them:
// #pinned=2&widths=name:20,city:8, in columns and in characters.

import { all, headers, list, nextFrame, on, one } from "./document.js";

let pinned = 0, widths = new Map();
const sheet = new CSSStyleSheet();
document.adoptedStyleSheets.push(sheet);

const headerOf = (name) => headers().find((header) => header.dataset.c === name);
const indexOf = (name) => headers().indexOf(headerOf(name));
const characterWidth = () => parseFloat(getComputedStyle(list()).fontSize) * .56;
const limited = (width) => Math.min(Math.max(width, 4), 200);

export const canPin = (name) => indexOf(name) >= Math.max(pinned, 1);
export const isPinned = (name) => indexOf(name) < pinned;
// Pins the columns up to this one, or none.
export const pinTo = (name) => changeLayout(() => pinned = name === undefined ? 0 : indexOf(name) + 1);
export const resizeBy = (name, characters) =>
  changeLayout(() => widths.set(name, limited(Math.round(headerOf(name).offsetWidth / characterWidth()) + characters)));

export function layoutHash() {
  const parts = [];
  if (pinned) parts.push(`pinned=${pinned}`);
  if (widths.size) parts.push(`widths=${[...widths].map(([name, width]) => `${encodeURIComponent(encodeURIComponent(name))}:${width}`)}`);
  return parts.join("&");
}

export function readLayout() {
  // A link to a section changes no layout.
  if (location.hash && !/^#(pinned|widths)=/.test(location.hash)) return;
  const items = new URLSearchParams(location.hash.slice(1));
  pinned = +items.get("pinned") || 0;
  const sizes = (items.get("widths") ?? "").matchAll(/((?:[^,:%]|%[\da-f]{2})+):(\d{1,3})/gi);
  try {
    widths = new Map([...sizes].map(([, name, width]) => [decodeURIComponent(name), limited(+width)]));
  } catch {
    widths = new Map();
  }
  applyLayout();
}

// Lets the browser paint the input before the cells of a large page change.
async function changeLayout(change) {
  change();
  await nextFrame();
  applyLayout();
  const url = new URL(location);
  url.hash = layoutHash();
  history.replaceState(history.state, "", url);
}

const cellsOf = (index) => `#list :is(thead tr, tr[id^="r-"]) > :nth-child(${index + 1})`;

export function applyLayout() {
  const table = list();
  if (!one("thead", table)) return;
  const columns = headers(), rules = [], { columns: sizes } = table.dataset;
  const write = () => sheet.replaceSync(`@media screen and (width > 40rem) { ${rules.join("\n")} }`);
  const widthOf = (header) => widths.has(header?.dataset.c) && `${widths.get(header.dataset.c) * characterWidth()}px`;
  if (sizes) {
    const first = columns[0].cellIndex;
    table.dataset.sizes ??= sizes;
    table.dataset.columns = table.dataset.sizes.split(" ").map((size, index) => widthOf(columns[index - first]) || size).join(" ");
  }
  for (const header of sizes ? [] : columns) {
    const width = widthOf(header);
    if (width) rules.push(`${cellsOf(header.cellIndex)} { inline-size: ${width}; min-inline-size: ${width}; max-inline-size: ${width}; }`);
  }
  write();
  // Pinned columns leave a third of the frame to the others.
  const last = columns[pinned - 1]?.cellIndex ?? -1;
  let start = 0;
  for (const header of all("thead th").slice(0, last + 1)) {
    const width = header.offsetWidth;
    if (start + width > table.parentElement.clientWidth * .66) break;
    rules.push(
      `${cellsOf(header.cellIndex)} { position: sticky; inset-inline-start: ${start}px; z-index: 1; }`,
      `#list tr[id^="r-"] > :nth-child(${header.cellIndex + 1}) { background: inherit; }`,
      `#list thead tr:not([id]) > :nth-child(${header.cellIndex + 1}) { z-index: 4; }`,
    );
    start += width;
  }
  if (start) write();
}

on("hashchange", readLayout);
on("resize", applyLayout);

let resizing;

on("pointerdown", (event) => {
  const edge = event.target.closest?.(".grip");
  if (!edge) return;
  event.preventDefault();
  const header = edge.parentElement;
  resizing = { name: header.dataset.c, start: event.clientX, width: header.offsetWidth, sign: document.dir === "rtl" ? -1 : 1 };
});

on("pointermove", ({ clientX }) => {
  if (!resizing) return;
  const { name, start, width: old, sign } = resizing;
  const width = Math.round((old + sign * (clientX - start)) / characterWidth());
  if (width !== widths.get(name)) changeLayout(() => widths.set(name, limited(width)));
});

on("pointerup", () => resizing = undefined);

on("dblclick", ({ target }) => {
  if (target.matches(".grip")) changeLayout(() => widths.delete(target.parentElement.dataset.c));
});
