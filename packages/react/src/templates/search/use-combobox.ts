import { type KeyboardEvent, type RefObject, useState, useSyncExternalStore } from 'react';

interface Options {
  /** The options. A new list starts without a selected one. */
  items: readonly unknown[];
  list: RefObject<HTMLElement | null>;
  /** Called for Escape in a field whose list is closed. @returns Whether there was anything to clear. */
  onClear: () => boolean;
}

const subscribeToNothing = () => () => {};

/**
 * An editable combobox (ARIA Authoring Practices: list autocomplete with manual selection). The focus stays in the
 * field; `aria-activedescendant` names the option that the arrow keys have reached. The list is open from the first
 * typed letter until the visitor leaves the field, presses Enter or presses Escape. Afterwards it stays visible as a
 * plain list of links.
 */
export function useCombobox({ items, list, onClear }: Options) {
  // Without script the field is a plain search field.
  const isHydrated = useSyncExternalStore(
    subscribeToNothing,
    () => true,
    () => false,
  );
  const [isOpen, setOpen] = useState(false);
  /** The option that the arrow keys have reached: its index in the list `of`. */
  const [selected, setSelected] = useState<{ of: readonly unknown[]; at: number } | null>(null);
  const isExpanded = isOpen && items.length > 0;
  /** Index of the selected option; `null` if no option of this list is selected. */
  const active = isExpanded && selected?.of === items ? selected.at : null;

  const optionAt = (at: number) => list.current?.querySelectorAll('a')[at];

  const close = () => {
    setOpen(false);
    setSelected(null);
  };

  /** Selects an option and scrolls to it. @param at Its index; one past either end means the option at the other end. */
  function selectOption(at: number) {
    const wrapped = (at + items.length) % items.length;
    setOpen(true);
    setSelected({ of: items, at: wrapped });
    optionAt(wrapped)?.scrollIntoView({ block: 'nearest' });
  }

  /** @returns Whether the key is handled, so that the browser must not handle it too. */
  function handleKey(key: string, isAlt: boolean): boolean {
    switch (key) {
      case 'ArrowDown':
        if (items.length === 0) return false;
        if (isAlt) setOpen(true);
        else selectOption(active === null ? 0 : active + 1);
        return true;
      case 'ArrowUp':
        if (items.length === 0) return false;
        if (isAlt) close();
        else selectOption((active ?? 0) - 1);
        return true;
      case 'Enter':
        if (active === null) return false;
        optionAt(active)?.click();
        return true;
      case 'Escape':
        if (!isExpanded) return onClear();
        close();
        return true;
      case 'Home':
      case 'End':
      case 'ArrowLeft':
      case 'ArrowRight':
        // These move the caret: the visitor edits the text again.
        setSelected(null);
        return false;
      default:
        return false;
    }
  }

  return {
    isExpanded,
    active,
    open: () => setOpen(true),
    close,
    onKeyDown(event: KeyboardEvent) {
      // The key belongs to an input method.
      if (event.nativeEvent.isComposing) return;
      if (handleKey(event.key, event.altKey)) event.preventDefault();
    },
    /** Attributes of the field. @param prefix Of the options' ids; the index follows. @param controls Id of the list. */
    attributes: (prefix: string, controls: string) =>
      isHydrated
        ? ({
            role: 'combobox',
            'aria-autocomplete': 'list',
            'aria-expanded': isExpanded,
            // Only while open: afterwards the list is no popup, but a visible list of links.
            'aria-controls': isExpanded ? controls : undefined,
            ...(active === null ? {} : { 'aria-activedescendant': `${prefix}${active}` }),
          } as const)
        : {},
  };
}
