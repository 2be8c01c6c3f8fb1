// Keeps what is typed into the form of a row until it is saved.

import { all, button, create, drafts, on, one, text } from "./document.js";

const rowForms = "form:is([data-purpose=edit], [data-purpose=create])";
const keyOf = (form) => `draft:${form.action.split("?")[0]}`;
const contentOf = (form) => JSON.stringify([...new FormData(form)]);

// The form with values that are not saved.
let typedForm;

function remember(form) {
  typedForm = form;
  drafts[keyOf(form)] = contentOf(form);
}

export function forgetDraft(form) {
  typedForm = undefined;
  delete drafts[keyOf(form)];
}

// A form of its own page was saved if the server led to another page.
if (performance.getEntriesByType("navigation")[0].redirectCount) delete drafts[drafts.sent];

function fillForm(form, content) {
  const entries = JSON.parse(content);
  for (const field of all("[name]", form)) {
    const values = entries.filter(([name]) => name === field.name).map(([, value]) => value);
    if (/checkbox|radio/.test(field.type)) field.checked = values.includes(field.value);
    else if (values.length) [field.value] = values;
  }
}

// The fields that a person sees.
const shownPart = (content) => JSON.stringify(JSON.parse(content).filter(([name]) => !/^form__(tag|base)$/.test(name)));

// Offers a draft. A form that the server refused has what was sent.
export function restoreDraft() {
  const form = one(rowForms), draft = form && drafts[keyOf(form)], start = form && contentOf(form);
  if (!draft) return;
  const isAnswer = drafts.sent === keyOf(form) && one(".failed", form.parentElement);
  delete drafts.sent;
  if (isAnswer) return remember(form);
  if (shownPart(draft) === shownPart(start)) return forgetDraft(form);
  fillForm(form, draft);
  typedForm = form;
  const note = create("p", { className: "note draft", textContent: text("draft") });
  note.append(Object.assign(button(text("discard")), {
    onclick() {
      fillForm(form, start);
      forgetDraft(form);
      note.remove();
      one("input:not([type=hidden]), textarea, select", form).focus();
    },
  }));
  form.before(note);
}

on("input", ({ target }) => target.form?.matches(rowForms) && remember(target.form));
on("panelfill", restoreDraft);

on("submit", ({ target }) => {
  if (!target.matches(rowForms)) return;
  if (!target.closest("#panel")) typedForm = undefined;
  drafts.sent = keyOf(target);
});

// Cancel keeps the draft, and asks nothing.
on("click", ({ target }) => {
  if (target.matches("[data-act=cancel]")) typedForm = undefined;
});

on("beforeunload", (event) => typedForm?.isConnected && event.preventDefault());
