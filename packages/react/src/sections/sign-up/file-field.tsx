import { MEGABYTE, problemWithFiles, rulesOf } from '@pillion/forms/files.ts';
import { useEffect, useRef, useState } from 'react';
import { ariaAttributes } from './field.tsx';
import styles from './form.module.css';
import { controlId, type FieldProps, Notes } from './notes.tsx';

export { sendFiles } from './send-files.ts';

const isSameFile = (one: File) => (other: File) =>
  one.name === other.name && one.size === other.size && one.lastModified === other.lastModified;

/** In the units of the limits (`rulesOf`). Rounded up, so that a file above a limit does not look like one of that size. */
function formatSize({ size }: File): string {
  if (size < MEGABYTE / 10) return `${Math.ceil(size / 1024)} KB`;
  const tenths = Math.ceil((size / MEGABYTE) * 10);
  return `${(tenths / 10).toLocaleString(document.documentElement.lang)} MB`;
}

/** The chosen files of a control. With script, visitors can remove single files and add more one by one. */
function useFiles({ field, texts }: FieldProps) {
  const control = useRef<HTMLInputElement>(null);
  const chosenBefore = useRef<File[]>([]);
  const [files, setFiles] = useState<File[]>([]);

  function readChosenFiles(): void {
    const element = control.current;
    if (!element) return;
    const chosen = [...(element.files ?? [])];
    const isAdding = field.upload && field.upload.maxFiles > 1 && chosen.length > 0;
    const before = isAdding ? chosenBefore.current : [];
    const all = [...before, ...chosen.filter((file) => !before.some(isSameFile(file)))];
    if (all.length > chosen.length) setFilesOf(element, all);
    chosenBefore.current = all;
    // The form reads this (`controlError`).
    element.setCustomValidity(problemWithFiles(field, all, texts) ?? '');
    setFiles(all);
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: once; something may have been chosen before this script came.
  useEffect(readChosenFiles, []);

  function remove(file: File): void {
    const element = control.current;
    if (!element) return;
    chosenBefore.current = chosenBefore.current.filter((other) => other !== file);
    setFilesOf(element, chosenBefore.current);
    // Files set by script do not fire an event.
    element.dispatchEvent(new Event('change', { bubbles: true }));
    element.focus();
  }

  return { control, files, readChosenFiles, remove };
}

function setFilesOf(element: HTMLInputElement, files: File[]): void {
  const transfer = new DataTransfer();
  for (const file of files) transfer.items.add(file);
  element.files = transfer.files;
}

/** A file field with the native control, which supports the keyboard and drag and drop. */
export function FileField(props: FieldProps) {
  const { formId, field, texts } = props;
  const { control, files, readChosenFiles, remove } = useFiles(props);
  const [input] = field.inputs;
  const { upload } = field;
  if (!input || !upload) return null;
  const id = controlId(formId, input.name);
  const rulesId = controlId(formId, `${field.id}-rules`);
  const aria = ariaAttributes(props);
  return (
    <div className="form-upload">
      <label htmlFor={id} data-required={input.isRequired || undefined}>
        {field.label}
      </label>
      <input
        type="file"
        id={id}
        name={input.name}
        ref={control}
        required={input.isRequired}
        multiple={upload.maxFiles > 1}
        accept={upload.kinds.map((kind) => `.${kind}`).join(',') || undefined}
        {...aria}
        aria-describedby={[rulesId, aria['aria-describedby']].join(' ').trim()}
        data-listed={files.length > 0 || undefined}
        onChange={readChosenFiles}
      />
      {files.length > 0 && (
        <ul>
          {files.map((file) => (
            <li key={`${file.name} ${file.size} ${file.lastModified}`}>
              <span>{file.name}</span> <small>{formatSize(file)}</small>
              <button type="button" aria-label={`${texts.file_remove} ${file.name}`} onClick={() => remove(file)}>
                {texts.file_remove}
              </button>
            </li>
          ))}
        </ul>
      )}
      <p className={styles.about} id={rulesId}>
        {rulesOf(upload, texts)}
      </p>
      <Notes {...props} />
    </div>
  );
}
