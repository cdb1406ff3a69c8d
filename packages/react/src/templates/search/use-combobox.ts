import { type KeyboardEvent, type RefObject, useState, useSyncExternalStore } from 'react';

interface Options {
  /** What is offered. Another list begins without a choice. */
  items: readonly unknown[];
  list: RefObject<HTMLElement | null>;
  /** Escape in a field whose list is closed. @returns Whether there was anything to clear. */
  onClear: () => boolean;
}

const never = () => () => {};

/**
 * A field that offers a list, as the ARIA Authoring Practices describe it (editable combobox, list autocomplete with
 * manual selection). Focus stays in the field; what the arrow keys reach is named by `aria-activedescendant`. The list
 * is open from the first letter typed until the visitor leaves it, asks by Enter or presses Escape. It stays in sight
 * then, and is a plain list of links again: to be walked through by Tab, opened in tabs, read as any other text.
 */
export function useCombobox({ items, list, onClear }: Options) {
  // Without script the field is one to search by, and nothing else.
  const isLive = useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
  const [isOpen, setOpen] = useState(false);
  const [chosen, setChosen] = useState<{ of: readonly unknown[]; at: number } | null>(null);
  const isExpanded = isOpen && items.length > 0;
  const active = isExpanded && chosen?.of === items ? chosen.at : null;

  const optionAt = (at: number) => list.current?.querySelectorAll('a')[at];

  const close = () => {
    setOpen(false);
    setChosen(null);
  };

  function choose(at: number) {
    const wrapped = (at + items.length) % items.length;
    setOpen(true);
    setChosen({ of: items, at: wrapped });
    optionAt(wrapped)?.scrollIntoView({ block: 'nearest' });
  }

  /** @returns Whether the key was for the list. */
  function onKey(key: string, isAlt: boolean): boolean {
    switch (key) {
      case 'ArrowDown':
        if (items.length === 0) return false;
        if (isAlt) setOpen(true);
        else choose(active === null ? 0 : active + 1);
        return true;
      case 'ArrowUp':
        if (items.length === 0) return false;
        if (isAlt) close();
        else choose((active ?? 0) - 1);
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
        // The caret moves, so the visitor is back in what she wrote.
        setChosen(null);
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
      // An input method's own keys choose among its own words.
      if (event.nativeEvent.isComposing) return;
      if (onKey(event.key, event.altKey)) event.preventDefault();
    },
    /** @param prefix Of the options' ids. @param controls The list's. */
    attributes: (prefix: string, controls: string) =>
      isLive
        ? ({
            role: 'combobox',
            'aria-autocomplete': 'list',
            'aria-expanded': isExpanded,
            'aria-controls': controls,
            ...(active === null ? {} : { 'aria-activedescendant': `${prefix}${active}` }),
          } as const)
        : {},
  };
}
