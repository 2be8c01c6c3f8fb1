// The menu of a column: it uses the forms of the toolbar.

import { all, create, fetchPage, headers, joinList, on, one, openMenu, splitList, text } from "./document.js";
import { fitFilterForm } from "./filters.js";
import { canPin, isPinned, pinTo, resizeBy } from "./layout.js";
import { addressOf, show, shown } from "./navigation.js";

// The name of the column whose menu is open.
let column;
const control = (selector) => one(selector.replace("%", () => CSS.escape(column)));

// The control in the toolbar for each command, or a false value where the column has none.
const columnControls = {
  sort: () => control("[name=form__sort] option[value=\"%\"]"),
  filter: () => control("[name=form__column] option[value=\"%\"]"),
  values: () => control("[name=facets] option[value=\"%\"]"),
  group: () => control("[data-key=b] [data-c=\"%\"]"),
  statistics: () => control("[name=statistics] option[value=\"%\"]"),
  hide: () => all("[name=form__show]:checked").length > 1 && control("[name=form__show][value=\"%\"]"),
  pin: () => canPin(column),
  unpin: () => isPinned(column),
  sum: () => columnControls.statistics() && control("thead .num[data-c=\"%\"]"),
  filled: () => columnControls.statistics() && columnControls.sort(),
  wider: () => true,
  narrower: () => true,
  avg: () => columnControls.sum(),
  min: () => columnControls.filled(),
  max: () => columnControls.filled(),
  left: () => control("[name=form__forward][value=\"%\"]"),
  right: () => one("[name=form__forward]", control("[name=form__show][value=\"%\"]").closest("li").nextElementSibling),
};

function sort(direction, isFurther) {
  const fields = all("[name=form__sort]"), directions = all("[name=form__direction]");
  const index = isFurther ? fields.findIndex((field) => !field.value || field.value === column) : 0;
  if (!isFurther) for (const field of fields) field.value = "";
  fields[index].value = column;
  directions[index].value = direction;
  fields[index].form.requestSubmit();
}

// The commands whose parameters name the columns that have the values.
const parameters = { values: "facets", sum: "sum", avg: "avg", min: "min", max: "max", filled: "filled" };
const named = (name) => splitList(new URL(shown, location).searchParams.get(name) ?? "");

function toggle(name) {
  const url = new URL(shown, location), names = new Set(named(name));
  names[names.has(column) ? "delete" : "add"](column);
  url.searchParams.delete(name);
  if (names.size) url.searchParams.set(name, joinList(names));
  url.search = url.search.replaceAll("%2C", ",");
  show(url.href, { isStep: true });
}

const commands = {
  up: () => sort(""),
  down: () => sort("-"),
  thenUp: () => sort("", true),
  thenDown: () => sort("-", true),
  filter() {
    const { form } = columnControls.filter().parentElement;
    one("[name=form__column]", form).value = column;
    fitFilterForm(form);
    openMenu("f");
    one("[name=form__value]", form).focus();
  },
  group: () => columnControls.group().click(),
  // Statistics replace the menu and are loaded again until they are complete.
  async statistics() {
    const menu = one("#cm"), { form } = columnControls.statistics().parentElement, requested = column;
    columnControls.statistics().selected = true;
    let isCounting = true;
    for (let turn = 0; isCounting && turn < 9 && requested === column; turn++) {
      if (turn) await new Promise((done) => setTimeout(done, 700));
      const statistics = one(".stats", (await fetchPage(addressOf(form))).page);
      if (!statistics || requested !== column) return;
      one(".stats", menu)?.remove();
      for (const item of all("button", menu)) item.hidden = true;
      isCounting = statistics.hasAttribute("data-counting");
      statistics.tabIndex = -1;
      menu.append(statistics);
      statistics.focus();
    }
  },
  pin: () => pinTo(column),
  unpin: () => pinTo(),
  wider: () => resizeBy(column, 4),
  narrower: () => resizeBy(column, -4),
  left: () => columnControls.left().click(),
  right: () => columnControls.right().click(),
  ...Object.fromEntries(Object.entries(parameters).map(([command, name]) => [command, () => toggle(name)])),
  hide() {
    const box = columnControls.hide();
    box.checked = false;
    box.form.requestSubmit();
  },
};

// Whether the list is in the state that a command would make.
function hasState(command) {
  if (command in parameters) return named(parameters[command]).includes(column);
  if (command === "group") return columnControls.group()?.ariaCurrent === "true";
  return sorts[command] === control("thead [data-c=\"%\"]").ariaSort;
}
const sorts = { up: "ascending", down: "descending" };

function openColumnMenu(button) {
  column = button.closest("th").dataset.c;
  const menu = one("#cm"), { left, bottom } = button.getBoundingClientRect();
  one(".stats", menu)?.remove();
  for (const item of all("button", menu)) {
    item.hidden = !(columnControls[item.dataset.do] ?? columnControls.sort)();
    item.ariaCurrent = hasState(item.dataset.do) || null;
  }
  menu.style.insetBlockStart = `${bottom + 4}px`;
  menu.style.left = `${Math.max(8, Math.min(left - 150, innerWidth - 216))}px`;
}

// Adds a menu button and an edge for the width to each header.
export function addColumnMenus() {
  for (const header of headers()) {
    if (one(".cm", header)) continue;
    // The name of the button is no part of the name of the column.
    header.ariaLabel = header.abbr = (one("a", header) ?? header).firstChild.textContent.trim();
    const button = create("button", { className: "cm", textContent: "▾", ariaLabel: text("menu", header.abbr), popoverTargetElement: one("#cm") });
    header.append(button, create("span", { className: "grip" }));
  }
}

on("click", ({ target }) => {
  if (target.matches(".cm")) openColumnMenu(target);
  if (!target.matches("#cm button")) return;
  if (target.dataset.do !== "statistics") one("#cm").hidePopover();
  commands[target.dataset.do]();
});

on("keydown", (event) => {
  if (!event.target.matches("#cm button") || !event.key.startsWith("Arrow")) return;
  const items = all("#cm button:not([hidden])"), by = event.key === "ArrowDown" ? 1 : -1;
  items.at((items.indexOf(event.target) + by) % items.length).focus();
  event.preventDefault();
});
