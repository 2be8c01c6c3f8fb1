// The menu of a column: it uses the forms of the toolbar.

import { all, create, fetchPage, headers, on, one, openMenu, text } from "./document.js";
import { fitFilterForm } from "./filters.js";
import { canPin, isPinned, pinTo, resizeBy } from "./layout.js";
import { addressOf } from "./navigation.js";

// The name of the column whose menu is open.
let column;
const control = (selector) => one(selector.replace("%", () => CSS.escape(column)));

// The control in the toolbar for each command, or a false value where the column has none.
const controls = {
  sort: () => control("[name=form__sort] option[value=\"%\"]"),
  filter: () => control("[name=form__column] option[value=\"%\"]"),
  values: () => control("[name=facets] option[value=\"%\"]"),
  group: () => control("[data-key=b] [data-c=\"%\"]"),
  statistics: () => control("[name=statistics] option[value=\"%\"]"),
  hide: () => all("[name=form__show]:checked").length > 1 && control("[name=form__show][value=\"%\"]"),
  pin: () => canPin(column),
  unpin: () => isPinned(column),
  wider: () => true,
  narrower: () => true,
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

const commands = {
  up: () => sort(""),
  down: () => sort("-"),
  thenUp: () => sort("", true),
  thenDown: () => sort("-", true),
  filter() {
    const { form } = controls.filter().parentElement;
    form.elements.form__column.value = column;
    fitFilterForm(form);
    openMenu("f");
    form.elements.form__value.focus();
  },
  values() {
    controls.values().selected = true;
    const { form } = one("[name=facets]");
    openMenu("f");
    form.requestSubmit(one("button", form));
  },
  group: () => controls.group().click(),
  // Statistics replace the menu and are loaded again until they are complete.
  async statistics() {
    const menu = one("#cm"), { form } = controls.statistics().parentElement, requested = column;
    controls.statistics().selected = true;
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
  left: () => controls.left().click(),
  right: () => controls.right().click(),
  hide() {
    const box = controls.hide();
    box.checked = false;
    box.form.requestSubmit();
  },
};

function openColumnMenu(button) {
  column = button.closest("th").dataset.c;
  const menu = one("#cm"), { left, bottom } = button.getBoundingClientRect();
  one(".stats", menu)?.remove();
  for (const item of all("button", menu)) item.hidden = !(controls[item.dataset.do] ?? controls.sort)();
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
  if (!target.matches("#cm > button")) return;
  if (target.dataset.do !== "statistics") one("#cm").hidePopover();
  commands[target.dataset.do]();
});

on("keydown", (event) => {
  if (!event.target.matches("#cm button") || !event.key.startsWith("Arrow")) return;
  const items = all("#cm button:not([hidden])"), by = event.key === "ArrowDown" ? 1 : -1;
  items.at((items.indexOf(event.target) + by) % items.length).focus();
  event.preventDefault();
});
