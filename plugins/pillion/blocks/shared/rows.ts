/** Pairs of label and value, stored in one attribute. */
import type { RowNames } from '@pillion/content/sections/declaration.ts';
import { Add, el, Line, Tool } from './kit.ts';

const { useEffect, useRef, useState } = wp.element;

type Pair = { label: string; value: string };
/** Labels of the buttons and fields; `icons` are those of `before` and `after`. */
type Names = RowNames & { icons: string[] };
/** Null: the button is disabled. */
type ButtonAction = (() => void) | null;

const moveRow = (rows: Pair[], from: number, to: number) => {
  const copy = rows.slice();
  copy.splice(to, 0, copy.splice(from, 1)[0]);
  return copy;
};

/** Pairs of label and value as text fields, with buttons to move and remove them. */
export const Rows = ({
  rows,
  onChange,
  className,
  names,
}: {
  rows: Pair[];
  onChange: (rows: Pair[]) => void;
  className: string;
  names: Names;
}) => {
  const listRef = useRef();
  /** Index of a new row that gets the cursor when it is rendered; -1 for none. */
  const [focusedRow, setFocusedRow] = useState(-1);
  useEffect(() => {
    const target = listRef.current?.children[focusedRow]?.querySelector('[contenteditable]');
    if (target) {
      target.focus();
      setFocusedRow(-1);
    }
  }, [focusedRow, rows.length]);
  const changeRow = (index: number, part: Partial<Pair>) =>
    onChange(rows.map((row, at) => (at === index ? { ...row, ...part } : row)));
  return el(
    'div',
    { className },
    el(
      'div',
      { className: 'pillion-rows', ref: listRef },
      rows.map((row, index) =>
        el(Row, {
          key: index,
          row,
          names,
          onChange: (part: Partial<Pair>) => changeRow(index, part),
          onBefore: index > 0 ? () => onChange(moveRow(rows, index, index - 1)) : null,
          onAfter: index < rows.length - 1 ? () => onChange(moveRow(rows, index, index + 1)) : null,
          onRemove: () => onChange(rows.filter((_, at) => at !== index)),
        }),
      ),
    ),
    el(Add, {
      label: names.add,
      onClick: () => {
        onChange(rows.concat({ label: '', value: '' }));
        setFocusedRow(rows.length);
      },
    }),
  );
};

const Row = ({
  row,
  names,
  onChange,
  onBefore,
  onAfter,
  onRemove,
}: {
  row: Pair;
  names: Names;
  onChange: (part: Partial<Pair>) => void;
  onBefore: ButtonAction;
  onAfter: ButtonAction;
  onRemove: ButtonAction;
}) =>
  el(
    'div',
    { className: 'pillion-row' },
    el(Line, {
      tagName: 'div',
      className: 'pillion-row-label',
      value: row.label || '',
      onChange: (label: string) => onChange({ label }),
      placeholder: names.label,
      'aria-label': names.label,
    }),
    el(Line, {
      tagName: 'div',
      className: 'pillion-row-value',
      value: row.value || '',
      onChange: (value: string) => onChange({ value }),
      placeholder: names.value,
      'aria-label': names.value,
    }),
    el(
      'div',
      { className: 'pillion-row-tools' },
      el(Tool, { name: names.icons[0], label: names.before, onClick: onBefore }),
      el(Tool, { name: names.icons[1], label: names.after, onClick: onAfter }),
      el(Tool, { name: 'remove', label: names.remove, onClick: onRemove }),
    ),
  );
