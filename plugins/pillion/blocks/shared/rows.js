/** Pairs of label and value, stored in one attribute. */
{
  const wp = window.wp;
  const { useEffect, useRef, useState } = wp.element;
  const { el, Line, Add, Tool } = window.pillionSections;

  /** @typedef {{ label: string, value: string }} Pair */
  /** @typedef {import('@pillion/content/sections/declaration.ts').RowNames & { icons: string[] }} Names */
  /** @typedef {(() => void) | null} Act */

  /** @param {Pair[]} list @param {number} from @param {number} to */
  const moved = (list, from, to) => {
    const copy = list.slice();
    copy.splice(to, 0, copy.splice(from, 1)[0]);
    return copy;
  };

  /**
   * Pairs of label and value as text fields, with buttons to move and remove them.
   * @param {{ rows: Pair[], onChange: (rows: Pair[]) => void, className: string, names: Names }} props
   */
  const Rows = ({ rows, onChange, className, names }) => {
    const list = useRef();
    const [focus, setFocus] = useState(-1);
    useEffect(() => {
      const target = list.current?.children[focus]?.querySelector('[contenteditable]');
      if (target) {
        target.focus();
        setFocus(-1);
      }
    }, [focus, rows.length]);
    /** @param {number} index @param {Partial<Pair>} part */
    const change = (index, part) => onChange(rows.map((row, at) => (at === index ? { ...row, ...part } : row)));
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
            onChange: (/** @type {Partial<Pair>} */ part) => change(index, part),
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

  /** @param {{ row: Pair, names: Names, onChange: (part: Partial<Pair>) => void, onBefore: Act, onAfter: Act, onRemove: Act }} props */
  const Row = ({ row, names, onChange, onBefore, onAfter, onRemove }) =>
    el(
      'div',
      { className: 'pillion-row' },
      el(Line, {
        tagName: 'div',
        className: 'pillion-row-label',
        value: row.label || '',
        onChange: (/** @type {string} */ label) => onChange({ label }),
        placeholder: names.label,
        'aria-label': names.label,
      }),
      el(Line, {
        tagName: 'div',
        className: 'pillion-row-value',
        value: row.value || '',
        onChange: (/** @type {string} */ value) => onChange({ value }),
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

  Object.assign(window.pillionSections, { Rows });
}
