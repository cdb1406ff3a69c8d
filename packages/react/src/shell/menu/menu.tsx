import type { Menu as MenuContent } from '@pillion/content/types.ts';
import { each } from '../../ui/each.tsx';
import { Icon } from '../../ui/icon.tsx';
import { linkProps } from '../../ui/link-props.ts';

interface Props {
  label: string;
  menu: MenuContent;
  /** Path of the page that is shown: its own link says so. */
  current: string;
  className?: string | undefined;
  /** Its turn when the shell enters (R39). */
  place: number;
}

/** One of WordPress' menus as a named region; an empty one is nothing (R26). A known network shows as its mark (R17). */
export function Menu({ label, menu: { items }, current, className, place }: Props) {
  if (items.length === 0) return null;
  return (
    <nav className={className} aria-label={label} data-entry={place}>
      <ul>
        {each(items, (item) => (
          <li>
            <a {...linkProps(item)} aria-current={item.url === current ? 'page' : undefined}>
              {item.network && <Icon network={item.network} />}
              <span className={item.network ? 'visually-hidden' : undefined}>{item.title}</span>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
