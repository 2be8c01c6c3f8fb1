// Applies the changes that the server sends. They wait while the reader is busy.

import { addColumnMenus } from "./columns.js";
import { all, allRows, announce, idOf, list, listTop, on, one, parseFragment, rowContainer, rowsOf, sections, text, top } from "./document.js";
import { draggedRow, markDraggable } from "./dragging.js";
import { reload, showConnection } from "./navigation.js";
import { isExtended } from "./scrolling.js";

let stream, reconnect, version, resetVersion, waiting = [], isOutdated = false;

const closeStream = () => stream?.close();

// Starts with the version of the page.
export function startChanges() {
  version = list()?.dataset.version;
  waiting = [];
  isOutdated = false;
  follow();
}

function follow() {
  closeStream();
  clearTimeout(reconnect);
  const address = list()?.dataset.changes;
  if (!address || document.hidden) return;
  const url = new URL(address, location);
  url.searchParams.set("since", version);
  url.searchParams.set("include", "html");
  stream = new EventSource(url);
  stream.onopen = () => showConnection(true);
  stream.onerror = () => {
    showConnection(false);
    if (stream.readyState === stream.CLOSED) reconnect = setTimeout(follow, 15000);
  };
  stream.addEventListener("changes", (event) => receive(JSON.parse(event.data)));
  stream.addEventListener("reset", () => {
    stream.close();
    // A second reset of one version means that the new page has it, too: wait.
    if (version === resetVersion) reconnect = setTimeout(() => offerChanges(true), 15000);
    else offerChanges(true);
    resetVersion = version;
  });
}

function receive(change) {
  if (change.to === version) return;
  if (change.from !== version || isExtended()) return offerChanges(true);
  version = change.to;
  waiting.push(change);
  offerChanges(waiting.length > 100);
}

const scrolled = () => scrollY + (one(".wide")?.scrollTop ?? 0);
const isSelecting = () => !getSelection().isCollapsed && list()?.contains(getSelection().anchorNode);
// True while the reader is further down, in a row, or has chosen or opened something.
const isBusy = () => isExtended() || scrolled() > innerHeight / 2 || draggedRow || list()?.contains(document.activeElement)
  || one("#list :checked, main [open], :popover-open, #chosen") || isSelecting();

// Applies the waiting changes, or offers a button for them.
function offerChanges(needsReload) {
  isOutdated ||= needsReload;
  const count = waiting.flatMap((change) => change.stages).flatMap(({ headers, ...stage }) => Object.values(stage))
    .reduce((sum, part) => sum + (part.id?.length ?? 0), 0);
  if (!isBusy()) return applyChanges();
  const button = one("#news");
  button.textContent = isOutdated ? text("outdated") : text("news", count);
  button.hidden = !isOutdated && !count;
}

function applyChanges() {
  one("#news").hidden = true;
  const tops = new Map(allRows().map((row) => [row, top(row)]));
  const frame = one(".wide"), start = listTop();
  const anchor = scrolled() && [...tops].find(([, place]) => place > start);
  const result = { added: [], changed: [], removed: [], moved: [] };
  try {
    check(!isOutdated);
    for (const change of waiting) for (const stage of change.stages) applyStage(stage, change, result);
  } catch {
    return reload();
  }
  const change = waiting.pop();
  waiting = [];
  if (change?.html) one("#count").outerHTML = change.html;
  addColumnMenus();
  markDraggable();
  if (anchor?.[0]?.isConnected) (frame?.scrollTop ? frame : window).scrollBy(0, top(anchor[0]) - anchor[1]);
  dispatchEvent(new Event("listchange"));
  animate(tops, result);
  announceChanges(result);
}

// A page that differs from the one that the server describes is loaded again.
const check = (isTrue) => {
  if (!isTrue) throw Error("The page is not the one that the change describes.");
};

const elementOf = (part) => parseFragment(part.html).firstElementChild;

function insertRow(row, section, index) {
  const container = rowContainer(section);
  container.insertBefore(row, rowsOf(section)[index] ?? one(":scope > .sf", container));
}

// Removed rows have the indexes before the stage, inserted ones those after it.
function applyStage(stage, change, result) {
  const before = sections();
  const rowsBefore = before.map(rowsOf);
  const checked = (element, id) => {
    check(idOf(element) === (id ?? idOf(element)));
    return element;
  };
  const map = (group, key, transform) => (group?.[key] ?? []).map((index, position) => transform(index, group.id[position], position));
  const rowAt = ([section, index], id) => checked(rowsBefore[section]?.[index], id);
  const newRow = (id) => {
    const row = elementOf(change.rows[id]);
    result.added.push(row);
    return row;
  };
  const deleted = map(stage.delete, "at", rowAt);
  const moved = map(stage.move, "from", rowAt);
  const deletedSections = map(stage.deleteSections, "at", (index, id) => checked(before[index], id));
  const movedSections = map(stage.moveSections, "from", (index, id) => checked(before[index], id));
  result.removed.push(...deleted, ...deletedSections.flatMap(rowsOf));
  result.moved.push(...moved);
  for (const element of [...deleted, ...moved, ...deletedSections, ...movedSections]) element.remove();

  const sectionInserts = [
    ...map(stage.moveSections, "to", (index, id, position) => [index, movedSections[position]]),
    ...map(stage.insertSections, "at", (index, id, position) => {
      const section = elementOf(change.sections[id]);
      for (const row of stage.insertSections.rows[position]) insertRow(newRow(row), section, Infinity);
      return [index, section];
    }),
  ].sort(([a], [b]) => a - b);
  for (const [index, section] of sectionInserts) list().insertBefore(section, sections()[index] ?? null);

  const after = sections();
  const rowInserts = [
    ...map(stage.move, "to", (index, id, position) => [index, moved[position]]),
    ...map(stage.insert, "at", (index, id) => [index, newRow(id)]),
  ].sort(([a], [b]) => a[0] - b[0] || a[1] - b[1]);
  for (const [[section, index], row] of rowInserts) insertRow(row, after[section], index);

  map(stage.reload, "at", ([section, index], id) => {
    const row = elementOf(change.rows[id]);
    checked(rowsOf(after[section])[index], id).replaceWith(row);
    result.changed.push(row);
  });
  map(stage.headers, "at", (index, id) => {
    const old = checked(after[index], id), section = elementOf(change.sections[id]);
    for (const part of all(":scope > .sh, :scope > .sf", old)) part.remove();
    old.prepend(...all(":scope > .sh", section));
    old.append(...all(":scope > .sf", section));
  });
  check(sections().map((section) => rowsOf(section).length).join() === stage.counts.join());
}

function animate(tops, { added, changed }) {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  // Reads every position before the first animation: a read after it would lay out the page again.
  const isNear = (place) => Math.abs(place) < innerHeight * 2;
  const moves = [...tops].map(([row, from]) => [row, from, row.isConnected ? top(row) : from])
    .filter(([, from, to]) => from !== to && (isNear(from) || isNear(to)));
  for (const [row, from, to] of moves) {
    row.animate({ translate: [`0 ${from - to}px`, "0 0"] }, { duration: 250, easing: "ease-out" });
  }
  for (const row of added) row.animate({ opacity: [0, 1] }, 500);
  for (const row of changed) row.animate({ backgroundColor: ["#8894ff66", "transparent"] }, 1200);
}

let announcedAt = 0, announcement;

// Announces at most one message in five seconds.
function announceChanges(result) {
  const parts = Object.keys(result).filter((name) => result[name].length).map((name) => text(name, result[name].length));
  clearTimeout(announcement);
  announcement = setTimeout(() => {
    announcedAt = Date.now();
    announce(parts.join(", "));
  }, Math.max(0, announcedAt + 5000 - Date.now()));
}

let counting, pause = 500;

// Loads a page again whose counts are not complete, with growing pauses.
export function reloadWhileCounting() {
  clearTimeout(counting);
  if (!one("[data-counting]")) return pause = 500;
  const isUsed = () => isBusy() || one(".tools [open], .chips [open], main input:focus");
  counting = setTimeout(() => isUsed() ? reloadWhileCounting() : reload(), pause);
  pause = Math.min(2 * pause, 8000);
}

on("listswap", closeStream);
on("visibilitychange", follow);
on("click", ({ target }) => target.id === "news" && applyChanges());
