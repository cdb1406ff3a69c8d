/** Pairs of label and value, stored in one attribute. */
import type { RowNames } from '@pillion/content/sections/declaration.ts';
import { Add, el, Line, Tool } from './kit.ts';

const { useEffect, useRef, useState } = wp.element;

type Pair = { label: string; value: string };
type Names = RowNames & { icons: string[] };
type Act = (() => void) | null;

const moved = (list: Pair[], from: number, to: number) => {
  const copy = list.slice();
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
  const list = useRef();
  const [focus, setFocus] = useState(-1);
  useEffect(() => {
    const target = list.current?.children[focus]?.querySelector('[contenteditable]');
    if (target) {
      target.focus();
      setFocus(-1);
    }
  }, [focus, rows.length]);
  const change = (index: number, part: Partial<Pair>) =>
    onChange(rows.map((row, at) => (at === index ? { ...row, ...part } : row)));
  return el(
    'div',
    { className },
    el(
      'div',
      { className: 'pillion-rows', ref: list },
      rows.map((row, index) =>
        el(Row, {
          key: index,
          row,
          names,
          onChange: (part: Partial<Pair>) => change(index, part),
          onBefore: index > 0 ? () => onChange(moved(rows, index, index - 1)) : null,
          onAfter: index < rows.length - 1 ? () => onChange(moved(rows, index, index + 1)) : null,
          onRemove: () => onChange(rows.filter((_, at) => at !== index)),
        }),
      ),
    ),
    el(Add, {
      label: names.add,
      onClick: () => {
        onChange(rows.concat({ label: '', value: '' }));
        setFocus(rows.length);
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
  onBefore: Act;
  onAfter: Act;
  onRemove: Act;
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
