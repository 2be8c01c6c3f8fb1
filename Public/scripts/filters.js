// Fits each condition of a form to the type of its column.

import { all, on, one } from "./document.js";

export function fitFilterForm(form) {
  for (const line of all(".cond", form)) {
    const [comparisons, value, bound] = ["is", "value", "to"].map((name) => one(`[name=form__${name}]`, line));
    const { t: type, ...picker } = one("[name=form__column]", line)?.selectedOptions?.[0]?.dataset ?? {};
    if (!type) continue;
    for (const option of comparisons.options) option.hidden = option.disabled = !option.dataset.t.includes(type);
    if (comparisons.selectedOptions[0]?.disabled ?? true) comparisons.value = [...comparisons.options].find((option) => !option.disabled).value;
    for (const field of [value, bound]) {
      field.type = type === "d" && !comparisons.value.endsWith("in") ? "date" : "text";
      field.inputMode = type === "n" && !picker.list ? "decimal" : "";
      for (const name of ["search", "labels", "key"]) delete field.dataset[name];
      Object.assign(field.dataset, picker);
      field.setAttribute("list", picker.list ?? "");
    }
  }
}

on("change", ({ target }) => {
  if (target.form?.matches(".panel")) fitFilterForm(target.form);
});
