// Changes as they happen, results while typing, keys. Every text stands in the page.

// Nothing is found within null.
const one = (selector, within = document) => within?.querySelector(selector);
const all = (selector, within = document) => [...within?.querySelectorAll(selector) ?? []];
const on = addEventListener;
const list = () => one("#list");
// Selectors would look at every cell.
const childrenOf = (part, prefix) => [...part?.children ?? []].filter((child) => child.id.startsWith(prefix));
const sections = () => childrenOf(list(), "s-");
const holder = (section) => section.tagName === "TBODY" ? section : one(".grid", section);
const rows = (section) => childrenOf(holder(section), "r-");
const idOf = (part) => decodeURIComponent(part.id.slice(2));
const everyRow = () => sections().flatMap(rows);
const top = (part) => part.getBoundingClientRect().top;
const number = (value) => value.toLocaleString(document.documentElement.lang);
const text = (name, count) => (one("#status")?.dataset[name] ?? "").replace("%", number(count ?? 0));

// MARK: Another address

let loading, shown = location.pathname + location.search;

// A new step in the history is one that Back leads away from.
async function show(address, { cache = "default", isStep = false, key } = {}) {
  loading?.abort();
  const { signal } = loading = new AbortController();
  const late = setTimeout(() => document.body.ariaBusy = "true", 300);
  try {
    const answer = await fetch(address, { headers: { Accept: "text/html" }, signal, cache });
    const [html, later] = parted(await answer.text());
    const page = new DOMParser().parseFromString(html, "text/html");
    if (signal.aborted) return;
    const now = new URL(answer.url);
    shown = now.pathname + now.search;
    now.hash = layoutHash();
    // The address of an open row stays.
    if (isStep) leave();
    if (isStep && now.href !== location.href) history.pushState(null, "", now);
    else if (!opened) history.replaceState(null, "", now);
    put(page, isStep);
    if (key) one(`[data-key=${key}]`)?.setAttribute("open", "");
    const last = everyRow().at(-1);
    while (later.length) {
      await nextFrame();
      if (signal.aborted) return;
      last.before(fragment(later.splice(0, batch).join("")));
    }
    begin();
    say((one(".empty h2") ?? one("#count") ?? one("h1"))?.textContent);
  } catch (error) {
    if (error.name === "AbortError") return;
    sign(false);
    clearTimeout(again);
    again = setTimeout(() => show(address, { isStep }), 15000);
  } finally {
    clearTimeout(late);
    if (!loading.signal.aborted && loading.signal === signal) document.body.ariaBusy = null;
  }
}

on("popstate", () => {
  if (history.state?.row) return openRow(location.href, history.state.row);
  leave();
  if (shown !== location.pathname + location.search) show(location.href);
});

const batch = 40;
const nextFrame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));

// Of a large page the first rows and the last one are shown at once, the others come in between.
function parted(html) {
  const [start, ...others] = html.split(/(?<=<\/tr>\n)(?=<tr id="r-)/);
  const isLarge = start.includes(" data-columns=") && !others.some((row) => row.includes("<tbody"));
  const later = isLarge ? others.splice(batch, others.length - batch - 1) : [];
  return [start + others.join(""), later];
}

// The same place on the next page, for the focus.
function twin(part) {
  const head = part.closest("th[data-c]"), menu = part.closest("[data-key]"), step = part.closest(".pages [rel]");
  if (head) return `th[data-c="${CSS.escape(head.dataset.c)}"] a`;
  if (menu) return `[data-key=${menu.dataset.key}] > summary`;
  return step ? `.pages [rel=${step.rel}]` : "main [name=q]";
}

// The search that a person types, the place of the focus and the shown columns stay.
function put(page, isStep) {
  stream?.close();
  const focus = document.activeElement, field = one("[name=q]");
  const place = focus.closest("main") && twin(focus), { scrollLeft: left = 0, scrollTop: above = 0 } = one(".wide") ?? {};
  document.title = page.title;
  for (const part of ["main", "body > footer"]) one(part).replaceChildren(...one(part, page)?.childNodes ?? []);
  if (field === focus) one("[name=q]")?.replaceWith(field);
  if (place) one(place)?.focus({ preventScroll: true });
  one(".wide")?.scrollTo(left, isStep ? 0 : above);
}

let typing, isTyped = false;

on("input", ({ target, isComposing }) => {
  const form = target.closest("[role=search]");
  clearTimeout(typing);
  if (!form || isComposing) return;
  typing = setTimeout(() => {
    show(address(form), { isStep: !isTyped });
    isTyped = true;
  }, 150);
});

on("focusout", () => isTyped = false);

const address = (form, button) => `${form.action}?${new URLSearchParams(new FormData(form, button))}`;

on("submit", (event) => {
  const { target, submitter } = event;
  if (target.method === "post" || !target.matches(".panel, .pages form, [role=search]")) return;
  event.preventDefault();
  clearTimeout(typing);
  const stays = submitter && !submitter.matches(".go") && target.closest("[open]");
  show(address(target, submitter), { isStep: true, key: stays && target.closest("[data-key]")?.dataset.key });
});

on("click", (event) => {
  const link = event.target.closest(".tools a:not(#views a), .chips a, .pages a, thead a");
  if (!link || link.hash || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  if (link.closest(".pages")) scrollTo(0, 0);
  show(link.href, { isStep: true });
});

// MARK: Columns

let column;
const named = (selector) => one(selector.replace("%", CSS.escape(column)));
const found = {
  sort: () => named("[name=form__sort] option[value=\"%\"]"),
  filter: () => named("[name=form__column] option[value=\"%\"]"),
  values: () => named("[name=facets] option[value=\"%\"]"),
  group: () => named("[data-key=b] [data-c=\"%\"]"),
  statistics: () => named("[name=statistics] option[value=\"%\"]"),
  hide: () => all("[name=form__show]:checked").length > 1 && named("[name=form__show][value=\"%\"]"),
  pin: () => at() >= Math.max(pinned, 1),
  unpin: () => at() < pinned,
  wider: () => true,
  narrower: () => true,
  left: () => named("[name=form__forward][value=\"%\"]"),
  right: () => one("[name=form__forward]", named("[name=form__show][value=\"%\"]").closest("li").nextElementSibling),
};

function sort(direction, isFurther) {
  const fields = all("[name=form__sort]"), directions = all("[name=form__direction]");
  const at = isFurther ? fields.findIndex((field) => !field.value || field.value === column) : 0;
  if (!isFurther) for (const field of fields) field.value = "";
  fields[at].value = column;
  directions[at].value = direction;
  fields[at].form.requestSubmit();
}

const deeds = {
  up: () => sort(""),
  down: () => sort("-"),
  thenUp: () => sort("", true),
  thenDown: () => sort("-", true),
  filter() {
    const { form } = found.filter().parentElement;
    form.elements.form__column.value = column;
    suit(form);
    open("f");
    form.elements.form__value.focus();
  },
  values() {
    found.values().selected = true;
    const { form } = one("[name=facets]");
    open("f");
    form.requestSubmit(one("button", form));
  },
  group: () => found.group().click(),
  // They take the place of the menu, again and again while they are counted.
  async statistics() {
    const menu = one("#cm"), { form } = found.statistics().parentElement, id = column;
    found.statistics().selected = true;
    let isLate = true;
    for (let turn = 0; isLate && turn < 9 && id === column; turn++) {
      if (turn) await new Promise((done) => setTimeout(done, 700));
      const answer = await fetch(address(form), { headers: { Accept: "text/html" } });
      const part = one(".stats", new DOMParser().parseFromString(await answer.text(), "text/html"));
      if (!part || id !== column) return;
      one(".stats", menu)?.remove();
      for (const item of all("button", menu)) item.hidden = true;
      isLate = part.hasAttribute("data-counting");
      part.tabIndex = -1;
      menu.append(part);
      part.focus();
    }
  },
  pin: () => arrange(() => pinned = at() + 1),
  unpin: () => arrange(() => pinned = 0),
  wider: () => arrange(() => widths.set(column, limited(widthOf(column) + 4))),
  narrower: () => arrange(() => widths.set(column, limited(widthOf(column) - 4))),
  left: () => found.left().click(),
  right: () => found.right().click(),
  hide() {
    const box = found.hide();
    box.checked = false;
    box.form.requestSubmit();
  },
};

function choose(button) {
  column = button.closest("th").dataset.c;
  const menu = one("#cm"), { left, bottom } = button.getBoundingClientRect();
  one(".stats", menu)?.remove();
  for (const item of all("button", menu)) {
    const name = item.dataset.do;
    item.hidden = !(found[name] ?? found.sort)();
  }
  menu.style.insetBlockStart = `${bottom + 4}px`;
  menu.style.left = `${Math.max(8, Math.min(left - 150, innerWidth - 216))}px`;
}

// MARK: Pinned columns and widths

// The end of the address names them: #pinned=2&widths=name:20,city:8, in characters.
let pinned = 0, widths = new Map();
const layout = new CSSStyleSheet();
document.adoptedStyleSheets.push(layout);
const heads = () => all("thead [data-c]");
const headOf = (name) => heads().find((head) => head.dataset.c === name);
const at = () => heads().indexOf(headOf(column));
const character = () => parseFloat(getComputedStyle(list()).fontSize) * .56;
const widthOf = (name) => Math.round(headOf(name).offsetWidth / character());

function layoutHash() {
  const parts = [];
  if (pinned) parts.push(`pinned=${pinned}`);
  if (widths.size) parts.push(`widths=${[...widths].map(([name, width]) => `${encodeURIComponent(encodeURIComponent(name))}:${width}`)}`);
  return parts.join("&");
}

function readLayout() {
  // The link to a section leaves them alone.
  if (location.hash && !/^#(pinned|widths)=/.test(location.hash)) return;
  const items = new URLSearchParams(location.hash.slice(1));
  pinned = +items.get("pinned") || 0;
  const sizes = (items.get("widths") ?? "").matchAll(/((?:[^,:%]|%[\da-f]{2})+):(\d{1,3})/gi);
  try {
    widths = new Map([...sizes].map(([, name, width]) => [decodeURIComponent(name), limited(+width)]));
  } catch {
    widths = new Map();
  }
  layOut();
}

const limited = (width) => Math.min(Math.max(width, 4), 200);

// The menu and the box are painted before the cells of a large page are laid out anew.
async function arrange(change) {
  change();
  await nextFrame();
  layOut();
  const url = new URL(location);
  url.hash = layoutHash();
  history.replaceState(history.state, "", url);
}

const cells = (place) => `#list :is(thead tr, tr[id^="r-"]) > :nth-child(${place + 1})`;

function layOut() {
  const table = list();
  if (!one("thead", table)) return;
  const columns = heads(), rules = [], { columns: sizes } = table.dataset;
  const write = () => layout.replaceSync(`@media screen and (width > 40rem) { ${rules.join("\n")} }`);
  const widthFor = (head) => widths.has(head?.dataset.c) && `${widths.get(head.dataset.c) * character()}px`;
  if (sizes) {
    const first = columns[0].cellIndex;
    table.dataset.sizes ??= sizes;
    table.dataset.columns = table.dataset.sizes.split(" ").map((size, place) => widthFor(columns[place - first]) || size).join(" ");
  }
  for (const head of sizes ? [] : columns) {
    const width = widthFor(head);
    if (width) rules.push(`${cells(head.cellIndex)} { inline-size: ${width}; min-inline-size: ${width}; max-inline-size: ${width}; }`);
  }
  write();
  // Pinned columns leave a third of the frame to the others.
  const last = columns[pinned - 1]?.cellIndex ?? -1;
  let start = 0;
  for (const head of all("thead th").slice(0, last + 1)) {
    const width = head.offsetWidth;
    if (start + width > table.parentElement.clientWidth * .66) break;
    rules.push(
      `${cells(head.cellIndex)} { position: sticky; inset-inline-start: ${start}px; z-index: 1; }`,
      `#list tr[id^="r-"] > :nth-child(${head.cellIndex + 1}) { background: inherit; }`,
      `#list thead tr:not([id]) > :nth-child(${head.cellIndex + 1}) { z-index: 4; }`,
    );
    start += width;
  }
  if (start) write();
}

on("hashchange", readLayout);
on("resize", layOut);

let sizing;

on("pointerdown", (event) => {
  const grip = event.target.closest?.(".grip");
  if (!grip) return;
  event.preventDefault();
  column = grip.parentElement.dataset.c;
  sizing = { start: event.clientX, width: grip.parentElement.offsetWidth, sign: document.dir === "rtl" ? -1 : 1 };
});
on("pointermove", ({ clientX }) => {
  if (!sizing) return;
  const width = Math.round((sizing.width + sizing.sign * (clientX - sizing.start)) / character());
  if (width !== widths.get(column)) arrange(() => widths.set(column, limited(width)));
});
on("pointerup", () => sizing = undefined);
on("dblclick", ({ target }) => {
  if (!target.matches(".grip")) return;
  column = target.parentElement.dataset.c;
  arrange(() => widths.delete(column));
});

// MARK: Choices of this browser

// A browser without storage forgets them.
const storage = (() => {
  try {
    return localStorage;
  } catch {
    return {};
  }
})();
const viewsKey = `views:${location.pathname.replace(/\.html$/, "")}`;
const views = () => JSON.parse(storage[viewsKey] ?? "[]");
const viewAddress = () => new URL(shown, location).search + (layoutHash() && `#${layoutHash()}`);

function showViews() {
  const items = one("#views");
  if (!items) return;
  items.replaceChildren(...views().map(({ name, address }) => {
    const item = document.createElement("li"), link = document.createElement("a"), button = document.createElement("button");
    Object.assign(link, { href: location.pathname + address, textContent: name });
    if (address === viewAddress()) link.ariaCurrent = "true";
    Object.assign(button, { className: "btn", textContent: "×", ariaLabel: one("#status").dataset.forget.replace("%", name) });
    button.dataset.forget = name;
    item.append(link, button);
    return item;
  }));
}

function store(views) {
  storage[viewsKey] = JSON.stringify(views);
  showViews();
}

const isOn = (name) => storage[name] === "on";

function applyChoices() {
  document.documentElement.classList.toggle("compact", isOn("compact"));
  for (const box of all("[data-own]")) box.checked = isOn(box.dataset.own);
  showViews();
}

on("change", ({ target }) => {
  if (!target.dataset.own) return;
  storage[target.dataset.own] = target.checked ? "on" : "off";
  nextFrame().then(applyChoices);
  watchEnds();
});

on("submit", (event) => {
  if (event.target.id !== "view") return;
  event.preventDefault();
  const field = event.target.elements.view, name = field.value.trim();
  if (!name) return;
  store([...views().filter((view) => view.name !== name), { name, address: viewAddress() }]);
  field.value = "";
});

on("click", ({ target }) => {
  if (target.matches("#views a")) target.closest("details").open = false;
  if (target.dataset.forget) store(views().filter((view) => view.name !== target.dataset.forget));
});

// MARK: Rows of several pages

// The addresses of the pages in order; those from `first` up to `beyond` are shown.
let pages = [], first = 0, beyond = 1, extending;
const maximumRows = 1000;
const ends = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) if (isIntersecting) extend(target === everyRow()[0] && first > 0 ? -1 : 1);
}, { rootMargin: "600px", scrollMargin: "600px" });

// Starts with the page that was loaded.
function startPages() {
  pages = [{ address: shown, rows: everyRow() }];
  [first, beyond] = [0, 1];
  extending = undefined;
  watchEnds();
}

function watchEnds() {
  ends.disconnect();
  const rows = isOn("endless") ? everyRow() : [];
  if (rows.length && first) ends.observe(rows[0]);
  if (rows.length) ends.observe(rows.at(-1));
}

async function extend(direction) {
  const next = one(".pages [rel=next]");
  const address = direction < 0 ? pages[first - 1].address : pages[beyond]?.address ?? next?.href;
  if (extending || !address) return;
  const own = extending = pages;
  ends.disconnect();
  try {
    const { answer, page } = await load(address);
    if (!answer.ok || own !== pages) return;
    insertPage(page, direction, address);
  } finally {
    if (extending === own) extending = undefined;
    if (own === pages) watchEnds();
  }
}

// Adds the rows of a page above or below, and removes the farthest page of too many rows.
function insertPage(page, direction, address) {
  const edge = sections().at(direction < 0 ? 0 : -1), fresh = [];
  const anchor = everyRow().find((row) => top(row) > 0), place = anchor && top(anchor);
  for (const section of childrenOf(one("#list", page), "s-")) {
    const added = rows(section);
    fresh.push(...added);
    if (section.id !== edge.id) direction < 0 ? edge.before(section) : list().append(section);
    else if (direction < 0) rows(edge)[0].before(...added);
    else holder(edge).append(...added, ...all(":scope > .sf", section));
  }
  if (direction < 0) first -= 1;
  else beyond += 1;
  pages[direction < 0 ? first : beyond - 1] = { address, rows: fresh };
  while (beyond - first > 1 && everyRow().length > maximumRows) {
    for (const row of pages[direction < 0 ? beyond - 1 : first].rows) row.remove();
    if (direction < 0) beyond -= 1;
    else first += 1;
    for (const section of sections()) if (!rows(section).length) section.remove();
  }
  const bar = one(".pages"), other = one(".pages", page);
  if (direction > 0 && bar && other) {
    const [start] = (one(".n", bar)?.textContent ?? "").split("–");
    const words = one(".n", other);
    if (words) words.textContent = `${start}–${words.textContent.split("–")[1]}`;
    bar.replaceChildren(...other.childNodes);
  }
  if (anchor?.isConnected) (one(".wide") ?? window).scrollBy(0, top(anchor) - place);
  arm();
}

// The comparisons and the field that suit the values of a column.
function suit(form) {
  const { form__column: columns, form__is: comparisons, form__value: value, form__to: bound } = form.elements;
  const type = columns?.selectedOptions?.[0]?.dataset.t;
  if (!type) return;
  for (const choice of comparisons.options) choice.hidden = choice.disabled = !choice.dataset.t.includes(type);
  if (comparisons.selectedOptions[0]?.disabled ?? true) comparisons.value = [...comparisons.options].find((choice) => !choice.disabled).value;
  for (const field of [value, bound]) {
    field.type = type === "d" && !comparisons.value.endsWith("in") ? "date" : "text";
    field.inputMode = type === "n" ? "decimal" : "";
  }
}

// On large pages each cell gets the name of its column only where it is read: in lines.
function label() {
  if (one("#list td[data-l]")) return;
  const names = all("thead th").map((head) => head.abbr);
  for (const row of everyRow()) [...row.children].forEach((cell, at) => cell.dataset.l = names[at] ?? "");
}

on("beforeprint", label);

on("mouseover", ({ target }) => {
  const cell = target.closest?.("#list :is(td, th)");
  if (cell && cell.scrollWidth > cell.clientWidth) cell.title = cell.textContent;
});

// MARK: A row beside the list

let opened;
const word = (name) => one("#status")?.dataset[name] ?? "";
const isLarge = matchMedia("(width > 60rem)");

async function load(address, options) {
  const answer = await fetch(address, { headers: { Accept: "text/html" }, ...options });
  return { answer, page: new DOMParser().parseFromString(await answer.text(), "text/html") };
}

function fill(page) {
  let panel = one("#panel");
  if (!panel) {
    document.body.insertAdjacentHTML("beforeend", `<aside id="panel" tabindex="-1"><p></p><div></div></aside>`);
    panel = one("#panel");
    for (const [name, sign] of [["before", "↑"], ["behind", "↓"], ["close", "×"]]) {
      const button = document.createElement("button");
      Object.assign(button, { className: "btn", textContent: sign, ariaLabel: word(name) });
      button.dataset.step = name;
      panel.firstChild.append(button);
    }
  }
  const title = one("h1", page);
  panel.ariaLabel = title.textContent;
  panel.lastChild.replaceChildren(...one("main", page).childNodes);
  return panel;
}

async function openRow(address, id) {
  const { answer, page } = await load(address);
  const isFirst = !opened;
  opened = id;
  history[isFirst && !history.state?.row ? "pushState" : "replaceState"]({ row: id }, "", answer.url);
  document.title = page.title;
  fill(page).focus();
  mark();
}

function mark() {
  for (const row of all("#list [aria-current]")) row.removeAttribute("aria-current");
  const rows = everyRow(), at = rows.findIndex((row) => row.id === opened);
  rows[at]?.setAttribute("aria-current", "true");
  rows[at]?.scrollIntoView({ block: "nearest" });
  for (const [name, by] of [["before", -1], ["behind", 1]]) {
    const button = one(`[data-step=${name}]`);
    if (button) button.ariaDisabled = at < 0 || !rows[at + by] ? "true" : null;
  }
}

function leave() {
  if (!opened) return;
  one("#panel")?.remove();
  const row = document.getElementById(opened);
  opened = undefined;
  mark();
  one("a", row)?.focus({ preventScroll: true });
}

const steps = {
  before: () => beside(-1),
  behind: () => beside(1),
  close: () => history.back(),
};

function beside(by) {
  const rows = everyRow(), row = rows[rows.findIndex((row) => row.id === opened) + by];
  if (row && one("th a", row)) openRow(one("th a", row).href, row.id);
}

const rowLink = (part) => part.closest("#list th[scope=row] > a");

on("click", (event) => {
  const { target } = event, step = target.closest("[data-step]"), act = target.closest("#panel [data-act]");
  if (step) return steps[step.dataset.step]();
  const link = rowLink(target), base = list()?.dataset.changes?.split("/-/changes")[0];
  const isRow = link && isLarge.matches && link.origin === location.origin && link.pathname.startsWith(`${base}/`);
  if (!(isRow || act) || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  if (isRow) openRow(link.href, link.closest("[id^=r-]").id);
  else if (act.dataset.act === "cancel") openRow(location.href, opened);
  else load(act.href).then(({ page }) => one("input:not([type=hidden]), textarea, button", fill(page).lastChild)?.focus());
});

// The fields of a form as it came.
function unchanged(form) {
  const copy = form.cloneNode(true);
  copy.reset();
  return new FormData(copy);
}

const formOf = async (address) => one("main form", (await load(address)).page);
const post = (address, fields) => load(address, { method: "POST", body: new URLSearchParams(fields) });

// Saves a form of a row: true where that was done, else what is wrong is beside the list.
async function save(form, button, row = document.getElementById(opened)) {
  const isRemoval = form.matches("[data-purpose=remove]"), isEdit = form.matches("[data-purpose=edit]");
  const old = isRemoval ? unchanged(await formOf(form.dataset.edit)) : unchanged(form);
  const { answer, page } = await post(form.action, new FormData(form, button));
  if (!answer.redirected) {
    opened ??= row?.id;
    one("[aria-invalid], fieldset input, button", fill(page).lastChild)?.focus();
    return false;
  }
  const create = one(".head .go")?.href;
  if (isRemoval) leave();
  else if (opened) await openRow(row ? one("th a", row).href : location.href, opened);
  await show(shown, { cache: "reload" });
  if (isEdit) toast(word("saved"), () => takeBack(form.action, old));
  else if (isRemoval && create) toast(word("gone"), () => takeBack(create, old, decodeURIComponent(row.id.slice(2))));
  else toast(word("saved"));
  return true;
}

async function takeBack(address, old, id) {
  const form = await formOf(address), fresh = new FormData(form);
  for (const name of ["form__tag", "form__base"]) {
    old.delete(name);
    if (fresh.has(name)) old.set(name, fresh.get(name));
  }
  if (id) old.set("id", id);
  const { answer, page } = await post(form.action, old);
  if (!answer.redirected) return fill(page);
  if (opened) await openRow(location.href, opened);
  await show(shown, { cache: "reload" });
  toast(word("undone"));
}

let fading;

function toast(words, undo) {
  one("#toast")?.remove();
  const sign = document.createElement("p");
  sign.id = "toast";
  sign.role = "status";
  sign.textContent = words;
  if (undo) {
    const button = document.createElement("button");
    Object.assign(button, { className: "btn", textContent: word("undo"), onclick: undo });
    sign.append(" · ", button);
  }
  one("main").append(sign);
  clearTimeout(fading);
  fading = setTimeout(() => sign.remove(), 10000);
}

on("submit", (event) => {
  if (!event.target.matches("#panel form[method=post]")) return;
  event.preventDefault();
  save(event.target, event.submitter);
});

// A cell becomes the field of its row's form.
on("dblclick", async ({ target }) => {
  const cell = target.closest("#list td:not(.acts)"), row = cell?.closest("[id^=r-]");
  const link = row && one(".head .go") && one("th a", row);
  if (!link || one("#list [data-cell]")) return;
  getSelection().empty();
  const edit = one("[data-act=edit]", (await load(link.href)).page);
  const form = edit && await formOf(edit.href);
  const field = form?.elements[all("thead th")[cell.cellIndex]?.dataset.c];
  if (!field) return;
  const input = field.cloneNode(true), content = [...cell.childNodes];
  input.dataset.cell = "";
  input.ariaLabel = `${cell.dataset.l ?? ""}`;
  cell.replaceChildren(input);
  input.focus();
  let isOver = false;
  const end = async (isSaved) => {
    // An element that goes loses the focus, too.
    if (isOver) return;
    isOver = true;
    cell.replaceChildren(...content);
    if (!isSaved || input.value === field.value) return;
    form.reset();
    const old = form.elements[field.name];
    old.value = input.value;
    await save(form, undefined, row);
  };
  input.onblur = () => end(true);
  input.onkeydown = (event) => {
    event.stopPropagation();
    if (event.key === "Escape") end(false);
    if (event.key === "Enter" && !event.shiftKey) end(true);
  };
});

// MARK: Changes

let stream, again, version, lost, waiting = [], isOutdated = false;

function follow() {
  stream?.close();
  clearTimeout(again);
  const address = list()?.dataset.changes;
  if (!address || document.hidden) return;
  const url = new URL(address, location);
  url.searchParams.set("since", version);
  url.searchParams.set("include", "html");
  stream = new EventSource(url);
  stream.onopen = () => sign(true);
  stream.onerror = () => {
    sign(false);
    if (stream.readyState === stream.CLOSED) again = setTimeout(follow, 15000);
  };
  stream.addEventListener("changes", (event) => receive(JSON.parse(event.data)));
  stream.addEventListener("reset", () => {
    stream.close();
    // A page that comes back as it was is asked for again in a while.
    if (version === lost) again = setTimeout(() => offer(true), 15000);
    else offer(true);
    lost = version;
  });
}

function sign(isConnected) {
  const sign = one("#live");
  sign.hidden = false;
  sign.className = isConnected ? "" : "bad";
  sign.textContent = text(isConnected ? "live" : "lost");
}

function receive(change) {
  if (change.to === version) return;
  if (change.from !== version || isExtended()) return offer(true);
  version = change.to;
  waiting.push(change);
  offer(waiting.length > 100);
}

// Changes wait while a person reads further down, has opened something or is at a row.
const edge = () => Math.max(0, one(".wide") ? top(one(".wide")) : 0);
const reach = () => scrollY + (one(".wide")?.scrollTop ?? 0);
const isExtended = () => pages.length > 1;
const isBusy = () => isExtended() || reach() > innerHeight / 2 || dragged || list()?.contains(document.activeElement)
  || one("#list :checked, #list [open], #chosen") || (!getSelection().isCollapsed && list()?.contains(getSelection().anchorNode));

function offer(mustLoad) {
  isOutdated ||= mustLoad;
  const count = waiting.flatMap((change) => change.stages).flatMap(({ headers, ...stage }) => Object.values(stage))
    .reduce((sum, part) => sum + (part.id?.length ?? 0), 0);
  if (!isBusy()) return apply();
  const button = one("#news");
  button.textContent = isOutdated ? text("outdated") : text("news", count);
  button.hidden = !isOutdated && !count;
}

function apply() {
  one("#news").hidden = true;
  const places = new Map(everyRow().map((row) => [row, top(row)]));
  const frame = one(".wide"), start = edge();
  const anchor = reach() && [...places].find(([, place]) => place > start);
  const done = { added: [], changed: [], removed: [], moved: [] };
  try {
    must(!isOutdated);
    for (const change of waiting) for (const stage of change.stages) perform(stage, change, done);
  } catch {
    return show(shown, { cache: "reload" });
  }
  const change = waiting.pop();
  waiting = [];
  if (change?.html) one("#count").outerHTML = change.html;
  arm();
  if (anchor?.[0]?.isConnected) (frame?.scrollTop ? frame : window).scrollBy(0, top(anchor[0]) - anchor[1]);
  animate(places, done);
  tell(done);
}

const must = (isTrue) => {
  if (!isTrue) throw Error("another page");
};

function fragment(html) {
  const template = document.createElement("template");
  template.innerHTML = html;
  return template.content;
}

const element = (part) => fragment(part.html).firstElementChild;

function place(row, section, at) {
  const within = holder(section);
  within.insertBefore(row, rows(section)[at] ?? one(":scope > .sf", within));
}

// Removed rows are named by their places before, added ones by their places after.
function perform(stage, change, done) {
  const before = sections();
  const parts = before.map(rows);
  const named = (part, id) => {
    must(idOf(part) === (id ?? idOf(part)));
    return part;
  };
  const each = (group, at, find) => (group?.[at] ?? []).map((place, index) => find(place, group.id[index], index));
  const row = ([section, at], id) => named(parts[section]?.[at], id);
  const fresh = (id) => {
    const row = element(change.rows[id]);
    done.added.push(row);
    return row;
  };
  const removed = each(stage.delete, "at", row);
  const moved = each(stage.move, "from", row);
  const gone = each(stage.deleteSections, "at", (at, id) => named(before[at], id));
  const carried = each(stage.moveSections, "from", (at, id) => named(before[at], id));
  done.removed.push(...removed, ...gone.flatMap(rows));
  done.moved.push(...moved);
  for (const part of [...removed, ...moved, ...gone, ...carried]) part.remove();

  const arriving = [
    ...each(stage.moveSections, "to", (at, id, index) => [at, carried[index]]),
    ...each(stage.insertSections, "at", (at, id, index) => {
      const section = element(change.sections[id]);
      for (const row of stage.insertSections.rows[index]) place(fresh(row), section, Infinity);
      return [at, section];
    }),
  ].sort(([one], [other]) => one - other);
  for (const [at, section] of arriving) list().insertBefore(section, sections()[at] ?? null);

  const after = sections();
  const entering = [
    ...each(stage.move, "to", (at, id, index) => [at, moved[index]]),
    ...each(stage.insert, "at", (at, id) => [at, fresh(id)]),
  ].sort(([one], [other]) => one[0] - other[0] || one[1] - other[1]);
  for (const [[section, at], row] of entering) place(row, after[section], at);

  each(stage.reload, "at", ([section, at], id) => {
    const row = element(change.rows[id]);
    named(rows(after[section])[at], id).replaceWith(row);
    done.changed.push(row);
  });
  each(stage.headers, "at", (at, id) => {
    const [old, fresh] = [named(after[at], id), element(change.sections[id])];
    for (const part of all(":scope > .sh, :scope > .sf", old)) part.remove();
    old.prepend(...all(":scope > .sh", fresh));
    old.append(...all(":scope > .sf", fresh));
  });
  must(sections().map((section) => rows(section).length).join() === stage.counts.join());
}

function animate(places, { added, changed }) {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  // Every place is asked before anything moves: each answer after that would take a layout.
  const isSeen = (place) => Math.abs(place) < innerHeight * 2;
  const moves = [...places].map(([row, place]) => [row, place, row.isConnected ? top(row) : place])
    .filter(([, from, to]) => from !== to && (isSeen(from) || isSeen(to)));
  for (const [row, from, to] of moves) {
    row.animate({ translate: [`0 ${from - to}px`, "0 0"] }, { duration: 250, easing: "ease-out" });
  }
  for (const row of added) row.animate({ opacity: [0, 1] }, 500);
  for (const row of changed) row.animate({ backgroundColor: ["#8894ff66", "transparent"] }, 1200);
}

let saidAt = 0, saying;

// At most one sentence in five seconds.
function tell(done) {
  const words = Object.keys(done).filter((name) => done[name].length).map((name) => text(name, done[name].length));
  clearTimeout(saying);
  saying = setTimeout(() => {
    saidAt = Date.now();
    say(words.join(", "));
  }, Math.max(0, saidAt + 5000 - Date.now()));
}

const say = (words) => setTimeout(() => one("#status") && (one("#status").textContent = words ?? ""));

on("visibilitychange", follow);

// MARK: Rows

let last;
const boxOf = (row) => one("[name=id]", row);
const isChosen = (row) => boxOf(row)?.checked || "chosen" in row.dataset;

on("change", ({ target }) => {
  if (target.form?.matches(".panel")) suit(target.form);
  if (target.id === "single") storage.keys = target.checked ? "on" : "off";
  if (target.name === "all") for (const row of target.checked ? chosenRows() : []) setChosen(row, false);
  if (target.matches("#list [name=id], [name=all]")) count();
});

on("click", (event) => {
  const { target } = event, row = target.closest("#list [id^=r-]");
  for (const menu of all("details.menu[open]")) menu.open = menu.contains(target);
  if (target.matches(".cm")) choose(target);
  if (target.matches("#cm > button")) {
    if (target.dataset.do !== "statistics") one("#cm").hidePopover();
    deeds[target.dataset.do]();
  }
  if (target.id === "news") return apply();
  if (target.id === "help") return keys["?"]();
  if (target.dataset.copy) return copy(target.dataset.copy);
  if (target.matches("#chosen a")) target.href = exported("text/csv");
  const isBox = target.matches("[name=id]");
  if (!row || !isBox && (target.closest("a, button, summary, input, label, form") || !(event.ctrlKey || event.metaKey || event.shiftKey))) return;
  select(row, isBox ? target.checked : !isChosen(row), event.shiftKey);
});

function setChosen(row, isOn) {
  const box = boxOf(row);
  if (box) box.checked = isOn;
  row.toggleAttribute("data-chosen", isOn);
}

function select(row, isOn, isRange) {
  const all = everyRow(), [from, to] = [all.indexOf(last), all.indexOf(row)].sort((one, other) => one - other);
  for (const part of isRange && from >= 0 ? all.slice(from, to + 1) : [row]) setChosen(part, isOn);
  if (isOn && everything()) one("#act [name=all]").checked = false;
  last = row;
  getSelection().empty();
  count();
}

const everything = () => one("#act [name=all]")?.checked;
const chosenRows = () => everyRow().filter(isChosen);

// The bar tells how many rows are chosen, and copies or exports them.
function count() {
  const chosen = chosenRows().length, form = one("#act"), words = one("span", form);
  if (words) words.textContent = chosen ? text("chosen", chosen) : words.dataset.none ??= words.textContent;
  form?.toggleAttribute("data-on", chosen || everything());
  let bar = one("#chosen");
  if (!chosen && !everything()) return bar?.remove();
  if (!bar) {
    bar = document.createElement("p");
    bar.id = "chosen";
    bar.append(document.createElement("span"));
    for (const format of ["CSV", "Markdown", "JSON"]) {
      const button = document.createElement("button");
      Object.assign(button, { type: "button", className: "btn", textContent: format }).dataset.copy = format;
      bar.append(" ", button);
    }
    const link = document.createElement("a");
    Object.assign(link, { className: "btn", textContent: "↓ CSV", ariaLabel: `${word("export")}: CSV`, href: exported("text/csv"), download: "" });
    bar.append(" ", link);
    (form ?? one("main")).append(bar);
  }
  bar.firstChild.textContent = form ? word("copy") : `${text("chosen", chosen)} ${word("copy")}`;
}

// The address of an export of the chosen rows.
function exported(type, columns) {
  const url = new URL(one(`footer [type="${type}"]`).href);
  const ids = chosenRows().map(idOf).map((id) => /^"|,/.test(id) ? `"${id.replaceAll('"', '""')}"` : id);
  if (columns) url.searchParams.set("columns", columns);
  if (!everything()) url.searchParams.set("id__in", ids);
  return url.href;
}

const linesOf = (content) => content.trim().split("\n").filter(Boolean).map((line) => JSON.parse(line));

async function copy(format) {
  const type = format === "CSV" ? "text/csv" : "application/x-ndjson";
  const content = await (await fetch(exported(type))).text();
  const rows = type === "text/csv" ? [] : linesOf(content);
  for (const row of rows) if (row.section === "all") delete row.section;
  await navigator.clipboard.writeText({
    CSV: () => content,
    JSON: () => JSON.stringify(rows, null, 2),
    Markdown: () => markdown(rows),
  }[format]());
  say(`${format} ✓`);
  one(`[data-copy=${format}]`).textContent = `${format} ✓`;
}

// Changes or deletes the chosen rows; the rows as they were take it back.
async function writeChosen(form, button, isEdit) {
  const { form__column: field } = form.elements;
  const columns = isEdit ? [field.value] : [...field.options].map((option) => option.value);
  const matching = +one("label", form).textContent.replace(/\D/g, "");
  const isRead = !everything() || matching && matching <= 1000;
  const old = isRead ? linesOf(await (await fetch(exported("application/x-ndjson", columns))).text()) : [];
  const { answer, page } = await post(button.formAction, new FormData(form, button));
  if (!answer.redirected) return toast(all(".lead, .faults li", page).map((part) => part.textContent).join(" "));
  const note = one(".note", page).textContent, [base] = button.formAction.split("/-/");
  await show(shown, { cache: "reload" });
  const undo = async () => {
    const body = old.map((row) => JSON.stringify(Object.fromEntries(["id", ...columns].map((name) => [name, row[name]])))).join("\n");
    const headers = { Accept: "application/json", "Content-Type": "application/x-ndjson" };
    const answer = await fetch(`${base}/-/rows${isEdit ? "?on_duplicate=merge" : ""}`, { method: "POST", headers, body });
    if (!answer.ok) return toast((await answer.json()).detail);
    await show(shown, { cache: "reload" });
    toast(word("undone"));
  };
  toast(note, old.length && !one("nav.view") && undo);
}

on("submit", (event) => {
  const { target, submitter } = event, kind = /\/-\/actions\/(edit|delete)\b/.exec(submitter?.formAction)?.[1];
  if (!kind || !target.elements.form__column) return;
  event.preventDefault();
  writeChosen(target, submitter, kind === "edit");
});

function markdown(rows) {
  const names = Object.keys(rows[0]);
  const line = (values) => `| ${values.map((value) => `${value ?? ""}`.replaceAll("|", "\\|").replaceAll("\n", " ")).join(" | ")} |`;
  return [names, names.map(() => "---"), ...rows.map((row) => names.map((name) => row[name]))].map(line).join("\n");
}

let dragged;

function arm() {
  for (const head of all("th[data-c]:not(:has(.cm))")) {
    const button = document.createElement("button");
    head.abbr = (one("a", head) ?? head).firstChild.textContent.trim();
    button.className = "cm";
    button.textContent = "▾";
    button.ariaLabel = one("#status").dataset.menu.replace("%", head.abbr);
    button.popoverTargetElement = one("#cm");
    const grip = document.createElement("span");
    grip.className = "grip";
    head.append(button, grip);
  }
  for (const row of all("[data-move]")) row.draggable = true;
}

on("dragstart", ({ target }) => dragged = target.closest?.("[data-move]"));
on("dragend", () => dragged = undefined);
// A dropped file is put into the form that sends it.
const receiver = (event) => event.dataTransfer?.types.includes("Files") && one("[data-key=i] [type=file]");

on("dragover", (event) => receiver(event) && event.preventDefault());
on("drop", (event) => {
  const field = receiver(event);
  if (!field) return;
  event.preventDefault();
  open("i");
  field.files = event.dataTransfer.files;
  field.form.requestSubmit();
});

on("dragover", (event) => {
  if (dragged && event.target.closest("[data-move]")) event.preventDefault();
});
on("drop", async (event) => {
  const row = dragged && event.target.closest("[data-move]");
  if (!row || row === dragged) return;
  event.preventDefault();
  const name = event.clientY < top(row) + row.offsetHeight / 2 ? "before" : "after";
  const content = new URLSearchParams({ [name]: idOf(row) });
  await fetch(dragged.dataset.move, { method: "POST", body: content, headers: { Accept: "text/html" } });
  show(shown);
});

// MARK: Keys

let hasPrefix = false;
const open = (key) => {
  const menu = one(`[data-key=${key}]`);
  menu?.setAttribute("open", "");
  one("input:not([type=hidden]), select, a, button", menu)?.focus();
};
const here = () => document.activeElement.closest("#list [id^=r-]");

function step(parts, by) {
  const at = parts.findIndex((part) => part.contains(document.activeElement));
  const next = at < 0 ? parts.find((part) => top(part) > edge()) ?? parts[0] : parts[at + by];
  one("a", next ?? null)?.focus();
  next?.scrollIntoView({ block: "nearest" });
}

const keys = {
  "/": () => one("input[type=search]")?.select(),
  j: () => opened ? beside(1) : step(everyRow(), 1),
  k: () => opened ? beside(-1) : step(everyRow(), -1),
  async e() {
    const row = here(), link = one("th a", row);
    if (!opened && link) await openRow(link.href, row.id);
    one("#panel [data-act=edit]")?.click();
  },
  n: () => step(sections(), 1),
  p: () => step(sections(), -1),
  x: () => here() && select(here(), !isChosen(here())),
  "[": () => one(".pages [rel=prev]")?.click(),
  "]": () => one(".pages [rel=next]")?.click(),
  s: () => open("s"),
  f: () => open("f"),
  c: () => open("c"),
  ".": () => one("summary, .acts a, .acts button", here())?.focus(),
  g: () => hasPrefix = true,
  r: () => one("#news:not([hidden])")?.click(),
  "?": () => {
    one("#single").checked = storage.keys !== "off";
    one("#keys").showModal();
  },
};

on("keydown", (event) => {
  const { key, target } = event;
  if (key === "Enter" && (event.ctrlKey || event.metaKey)) return target.form?.requestSubmit();
  if (key === "Escape") {
    for (const menu of all("details[open]")) {
      one("summary", menu).focus();
      menu.open = false;
    }
    if (opened && !one(":popover-open, dialog[open]") && !target.matches("select")) history.back();
  }
  if (target.matches("#cm button") && key.startsWith("Arrow")) {
    const items = all("#cm button:not([hidden])"), by = key === "ArrowDown" ? 1 : -1;
    items.at((items.indexOf(target) + by) % items.length).focus();
    return event.preventDefault();
  }
  if (event.ctrlKey || event.altKey || event.metaKey || target.matches("input:not([type=checkbox]), select, textarea")) return;
  if (storage.keys === "off" || one("dialog[open]")) return;
  const letter = hasPrefix && all(".az a").find((link) => link.textContent === key.toUpperCase());
  hasPrefix = false;
  if (letter) return letter.click();
  if (!Object.hasOwn(keys, key)) return;
  event.preventDefault();
  keys[key](event);
});

let counting, pause = 500;

// A page that is still counted is asked for again, less and less often.
function recount() {
  clearTimeout(counting);
  if (!one("[data-counting]")) return pause = 500;
  counting = setTimeout(() => isBusy() || one(".tools [open], .chips [open], main input:focus") ? recount() : show(shown, { cache: "reload" }), pause);
  pause = Math.min(2 * pause, 8000);
}

function begin() {
  // A notice is shown once.
  if (/[?&]notice=\w+$/.test(location.search)) history.replaceState(null, "", location.href.replace(/[?&]notice=\w+$/, ""));
  version = list()?.dataset.version;
  waiting = [];
  isOutdated = false;
  last = undefined;
  count();
  one("#help")?.removeAttribute("disabled");
  for (const form of all("form.panel")) suit(form);
  if (matchMedia("(width <= 40rem)").matches) label();
  arm();
  layOut();
  applyChoices();
  startPages();
  follow();
  recount();
  if (opened) mark();
}

readLayout();
begin();

// Times of the format `relative`: the page has the time itself, because it may be old.
const spans = [["year", 31557600e3], ["month", 2629800e3], ["day", 864e5], ["hour", 36e5], ["minute", 6e4], ["second", 1e3]];
const distance = new Intl.RelativeTimeFormat(document.documentElement.lang, { numeric: "auto" });
function age() {
  for (const time of all("time[datetime]")) {
    const rest = new Date(time.dateTime) - Date.now();
    const [unit, size] = spans.find(([, size]) => Math.abs(rest) >= size) ?? spans.at(-1);
    const text = rest ? distance.format(Math.trunc(rest / size), unit) : time.textContent;
    time.title ||= time.textContent;
    if (time.textContent !== text) time.textContent = text;
  }
}
age();
setInterval(age, 6e4);
new MutationObserver(age).observe(document.body, { childList: true, subtree: true });
