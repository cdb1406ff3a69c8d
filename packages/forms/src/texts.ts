/** What is said in and around every form, from *Pillion → Texts*. A field's own words come first. */
export interface FormTexts {
  form_id: number;
  sending: string;
  /** Heads the summary of what is wrong with an answer. */
  invalid: string;
  /** Said when the sign-up could not be stored, and what to do. */
  failed: string;
  /** Said of a required field left empty, and of an e-mail address that is none, where the form has no words of its own. */
  required: string;
  email: string;
  /** Of a second address that is not the first. */
  confirm: string;
  website: string;
  phone: string;
  number: string;
  /** Of a number below its range and above it; `{min}` and `{max}` stand for its ends. */
  least: string;
  most: string;
  date: string;
  /** Of a choice that is not among the offered. */
  choice: string;
  /** Of a text that is too long; `{max}` stands for the characters that fit. */
  long: string;
  /** Said when so many came from the visitor's network that hers has to wait. */
  busy: string;
  /** What a field for files takes, each a sentence of its own; `{kinds}` and `{max}` are filled in. */
  file_kinds: string;
  file_size: string;
  file_count: string;
  /** Of all files of a form together. */
  file_total: string;
  /** Said of one that is not taken, before the reason; `{file}` stands for its name. */
  file_refused: string;
  file_empty: string;
  /** Said where the page had to be loaded anew: a browser forgets what was chosen. */
  file_again: string;
  /** On the button that takes a file out again, before its name. */
  file_remove: string;
  /** In the place of a form that is closed without words of its own. */
  closed: string;
  /** On the button of a form that has no words for it. */
  submit: string;
  /** Of a time that is none; and what its parts are called. */
  time: string;
  hour: string;
  minute: string;
  /** A choice of one's own words, where the form has none for it. */
  other: string;
  /** Of too few or too many choices; `{min}` or `{max}` is filled in. */
  choices_exactly: string;
  choices_least: string;
  choices_most: string;
  /** Buttons of a list; the row's number follows the second. */
  row_add: string;
  row_remove: string;
  /** Of answers with which the form has no button. */
  not_offered: string;
  /** Of a form without a single answer. */
  nothing: string;
  /** Title of the link to `links.terms`, which stands under a form where that address is given. */
  terms: string;
}
