// Fits the filter form to the type of the chosen column.

import { on } from "./document.js";

export function fitFilterForm(form) {
  const { form__column: columns, form__is: comparisons, form__value: value, form__to: bound } = form.elements;
  const { t: type, ...picker } = columns?.selectedOptions?.[0]?.dataset ?? {};
  if (!type) return;
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

on("change", ({ target }) => {
  if (target.form?.matches(".panel")) fitFilterForm(target.form);
});
