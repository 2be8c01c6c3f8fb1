// Replaces the list by another page of it: searches, forms, links and history. The window gets
// the event `listswap` before the replacement, and `listreveal` after it.

import { allRows, all, announce, button, create, isModified, nextFrame, on, one, parseFragment, text } from "./document.js";
import { layoutHash } from "./layout.js";
import { closePanel, openRow, openedRow } from "./panel.js";

// The address of the list on the page, without the row beside it.
export let shown = location.pathname + location.search;
let loading, retry;

// Loads a page of the list. A step is an entry in the history, and so is all that is typed
// before the search loses the focus, however many answers come in between.
export async function show(address, options = {}) {
  const { cache = "default", isTyped = false, isStep = isTyped, isBack = false, key } = options;
  loading?.abort();
  clearTimeout(retry);
  const { signal } = loading = new AbortController();
  const busy = setTimeout(showReading, 300);
  try {
    const response = await fetch(address, { headers: { Accept: "text/html" }, signal, cache });
    const [html, remaining] = splitRows(await response.text());
    const page = new DOMParser().parseFromString(html, "text/html");
    if (signal.aborted) return;
    const url = new URL(response.url);
    shown = url.pathname + url.search;
    url.hash = layoutHash();
    if (isStep) closePanel();
    const isEntry = isStep && !(isTyped && isTypedEntry) && url.href !== location.href;
    if (isEntry) history.pushState(null, "", url);
    else if (!openedRow) history.replaceState(null, "", url);
    // The search loses the focus for a moment while its form is replaced.
    const wasTypedEntry = isTypedEntry;
    replaceContent(page, isStep, isBack, key);
    isTypedEntry = isStep ? isTyped && (isEntry || wasTypedEntry) : wasTypedEntry;
    const last = allRows().at(-1);
    while (remaining.length) {
      await nextFrame();
      if (signal.aborted) return;
      last.before(parseFragment(remaining.splice(0, rowsPerFrame).join("")));
    }
    dispatchEvent(new Event("listreveal"));
    announce((one(".empty h2") ?? one("#count") ?? one("h1"))?.textContent);
  } catch (error) {
    if (error.name === "AbortError") return;
    showConnection(false);
    retry = setTimeout(() => show(address, options), 15000);
  } finally {
    clearTimeout(busy);
    if (loading?.signal === signal) {
      endReading();
      loading = undefined;
    }
  }
}

// Shows that a page is read, with a button that ends it and leaves the page as it is.
function showReading() {
  endReading();
  document.body.ariaBusy = "true";
  const note = create("p", { id: "reading", textContent: `${text("reading")} ` });
  note.append(Object.assign(button(text("cancel")), { onclick: () => loading.abort() }));
  one("main").append(note);
  announce(text("reading"));
}

export function showConnection(isConnected) {
  Object.assign(one("#live"), { hidden: false, className: isConnected ? "" : "bad", textContent: text(isConnected ? "live" : "lost") });
}

function endReading() {
  document.body.ariaBusy = null;
  one("#reading")?.remove();
}

on("keydown", ({ key }) => key === "Escape" && one("#reading button")?.click());

export const reload = () => show(shown, { cache: "reload" });

on("popstate", () => {
  const isShown = shown === location.pathname + location.search;
  // A row that was opened beside the list is a page of its own after a reload.
  if (!one("#keys")) return isShown || location.reload();
  if (history.state?.row) return openRow(location.href, history.state.row);
  closePanel();
  endTyping();
  isTypedEntry = false;
  if (!isShown || loading) show(location.href, { isBack: true });
});

const rowsPerFrame = 40;

// The first rows and the last one of a large page are shown at once, the others frame by frame.
function splitRows(html) {
  const [start, ...rows] = html.split(/(?<=<\/tr>\n)(?=<tr id="r-)/);
  const isLarge = start.includes(" data-columns=") && !rows.some((row) => row.includes("<tbody"));
  const remaining = isLarge ? rows.splice(rowsPerFrame, rows.length - rowsPerFrame - 1) : [];
  return [start + rows.join(""), remaining];
}

// A selector of the same element on the next page.
function selectorOf(element) {
  if (element.name === "form__show") return `[name=form__show][value="${CSS.escape(element.value)}"]`;
  if (element.dataset.v) return `[data-v="${CSS.escape(element.dataset.v)}"]`;
  const header = element.closest("th[data-c]"), menu = element.closest("[data-key]"), link = element.closest(".pages [rel]");
  if (header) return `th[data-c="${CSS.escape(header.dataset.c)}"] a`;
  if (menu) return `[data-key=${menu.dataset.key}] > summary`;
  if (link) return `.pages [rel=${link.rel}]`;
  if (element.matches(".head .go")) return ".head .go";
  return element.closest("#list") ? ".wide" : "main [name=q]";
}

// Keeps the focus, the text that is being typed and the scrolled columns.
function replaceContent(page, isStep, isBack, key) {
  dispatchEvent(new Event("listswap"));
  const focused = document.activeElement, search = one("[name=q]");
  const selector = focused.closest("main") && selectorOf(focused);
  const { scrollLeft = 0, scrollTop = 0 } = one(".wide") ?? {};
  document.title = page.title;
  for (const part of ["main", "body > footer"]) one(part).replaceChildren(...one(part, page)?.childNodes ?? []);
  if (key) one(`[data-key=${key}]`)?.setAttribute("open", "");
  if (search && !isBack && (search === focused || typing)) one("[name=q]")?.replaceWith(search);
  if (selector) (one(selector) ?? one(".wide"))?.focus({ preventScroll: true });
  one(".wide")?.scrollTo(scrollLeft, isStep ? 0 : scrollTop);
}

let typing, isTypedEntry = false;

on("input", ({ target, isComposing }) => {
  endTyping();
  if (!target.closest("[role=search]") || isComposing) return;
  // The input may be in the form of another page by then.
  typing = setTimeout(() => {
    endTyping();
    if (target.form) show(addressOf(target.form), { isTyped: true });
  }, 150);
});

// Ends the wait for more text.
const endTyping = () => typing = clearTimeout(typing);

on("focusout", () => isTypedEntry = false);

export const addressOf = (form, submitter) => `${form.action}?${new URLSearchParams(new FormData(form, submitter))}`;

on("submit", (event) => {
  const { target, submitter } = event;
  if (target.method === "post" || !target.matches(".panel, .pages form, [role=search]")) return;
  event.preventDefault();
  endTyping();
  const keepsMenu = submitter && !submitter.matches(".go") && target.closest("[open]");
  show(addressOf(target, submitter), { isStep: true, key: keepsMenu && target.closest("[data-key]")?.dataset.key });
});

// Columns are shown and hidden at once, with their menu open.
on("change", ({ target }) => target.name === "form__show" && show(addressOf(target.form), { isStep: true, key: "c" }));

on("click", (event) => {
  const link = event.target.closest(".tools a:not(#views a), .chips a, .rail a, .pages a, thead a");
  if (!link || link.hash || event.button || isModified(event)) return;
  event.preventDefault();
  if (link.closest(".pages")) scrollTo(0, 0);
  show(link.href, { isStep: true });
});

on("click", ({ target }) => {
  for (const menu of all("details.menu[open]")) menu.open = menu.contains(target);
});
