// The toolbar of the pane: width, theme and motion of the site, and the buttons that move and close it.
const { createElement: el } = wp.element;
const { Button, SelectControl } = wp.components;
const { __ } = wp.i18n;

/** `set`: the theme of the page. */
export type Theme = 'set' | 'dark' | 'light';

/** Widths of the preview, in CSS pixels of the site. */
export const WIDTHS = [
  {
    name: 'phone',
    pixels: 390,
    label: __('Phone, 390 wide', 'pillion'),
    path: 'M8 3h8a1.5 1.5 0 0 1 1.5 1.5v15A1.5 1.5 0 0 1 16 21H8a1.5 1.5 0 0 1-1.5-1.5v-15A1.5 1.5 0 0 1 8 3zm0 1.5v15h8v-15zM11 17h2v1.2h-2z',
  },
  {
    name: 'tablet',
    pixels: 820,
    label: __('Tablet, 820 wide', 'pillion'),
    path: 'M6 3h12a1.5 1.5 0 0 1 1.5 1.5v15A1.5 1.5 0 0 1 18 21H6a1.5 1.5 0 0 1-1.5-1.5v-15A1.5 1.5 0 0 1 6 3zm0 1.5v15h12v-15zM10.5 17h3v1.2h-3z',
  },
  {
    name: 'large',
    pixels: 1440,
    label: __('Large screen, 1440 wide', 'pillion'),
    path: 'M4.5 4h15A1.5 1.5 0 0 1 21 5.5v10a1.5 1.5 0 0 1-1.5 1.5h-15A1.5 1.5 0 0 1 3 15.5v-10A1.5 1.5 0 0 1 4.5 4zm0 1.5v10h15v-10zM8 18.5h8V20H8z',
  },
];

const ICONS = {
  site: 'M4 4.5h16A1.5 1.5 0 0 1 21.5 6v12a1.5 1.5 0 0 1-1.5 1.5H4A1.5 1.5 0 0 1 2.5 18V6A1.5 1.5 0 0 1 4 4.5zM4 6v12h7.25V6zm8.75 0v12H20V6z',
  calm: 'M3 9.5c2-2.2 4-2.2 6 0s4 2.2 6 0 4-2.2 6 0l-1.1 1c-1.3-1.5-2.5-1.5-3.8 0-2.7 2.9-5.5 2.9-8.2 0-1.3-1.5-2.5-1.5-3.8 0zm0 5c2-2.2 4-2.2 6 0s4 2.2 6 0 4-2.2 6 0l-1.1 1c-1.3-1.5-2.5-1.5-3.8 0-2.7 2.9-5.5 2.9-8.2 0-1.3-1.5-2.5-1.5-3.8 0z',
  window:
    'M13.5 4.5H19.5V10.5H18V7.06L11.53 13.53 10.47 12.47 16.94 6H13.5zM6 6h4.5v1.5H6v10.5h10.5V13.5H18V18a1.5 1.5 0 0 1-1.5 1.5H6A1.5 1.5 0 0 1 4.5 18V7.5A1.5 1.5 0 0 1 6 6z',
  close: 'M13.1 12l4.7-4.7-1.1-1.1-4.7 4.7-4.7-4.7-1.1 1.1 4.7 4.7-4.7 4.7 1.1 1.1 4.7-4.7 4.7 4.7 1.1-1.1z',
};

const svgIcon = (path: string) =>
  el(
    'svg',
    { viewBox: '0 0 24 24', width: 24, height: 24, 'aria-hidden': true, focusable: false },
    el('path', { d: path, fill: 'currentColor', fillRule: 'evenodd' }),
  );

export const SITE_ICON = svgIcon(ICONS.site);

const WidthSwitch = ({ width, setWidth }: { width: string; setWidth: (name: string) => void }) =>
  el(
    'div',
    { role: 'group', 'aria-label': __('Width', 'pillion'), className: 'pillion-pane__group' },
    WIDTHS.map(({ name, label, path }) =>
      el(Button, {
        key: name,
        icon: svgIcon(path),
        label,
        size: 'compact',
        isPressed: width === name,
        'aria-pressed': width === name,
        onClick: () => setWidth(name),
      }),
    ),
  );

const ThemeSwitch = ({ theme, setTheme }: { theme: Theme; setTheme: (theme: Theme) => void }) =>
  el(SelectControl, {
    label: __('Theme', 'pillion'),
    hideLabelFromVision: true,
    value: theme,
    options: [
      { value: 'set', label: __('Theme as set', 'pillion') },
      { value: 'dark', label: __('Dark', 'pillion') },
      { value: 'light', label: __('Light', 'pillion') },
    ],
    onChange: setTheme,
    size: 'compact',
    className: 'pillion-pane__theme',
    __nextHasNoMarginBottom: true,
  });

type ToolbarProps = {
  width: string;
  setWidth(name: string): void;
  theme: Theme;
  setTheme(theme: Theme): void;
  isCalm: boolean;
  setCalm(isCalm: boolean): void;
  isInWindow: boolean;
  onMoveToWindow(): void;
  onClose(): void;
};

export const Toolbar = (props: ToolbarProps) =>
  el(
    'div',
    { className: 'pillion-pane__bar' },
    !props.isInWindow && el(WidthSwitch, props),
    el(ThemeSwitch, props),
    el(Button, {
      icon: svgIcon(ICONS.calm),
      label: __('Calm: nothing moves by itself', 'pillion'),
      size: 'compact',
      isPressed: props.isCalm,
      'aria-pressed': props.isCalm,
      onClick: () => props.setCalm(!props.isCalm),
    }),
    el('span', { className: 'pillion-pane__space' }),
    !props.isInWindow &&
      el(Button, {
        icon: svgIcon(ICONS.window),
        label: __('In a separate window', 'pillion'),
        size: 'compact',
        onClick: props.onMoveToWindow,
      }),
    el(CloseButton, props),
  );

export const CloseButton = ({ onClose }: { onClose: () => void }) =>
  el(Button, { icon: svgIcon(ICONS.close), label: __('Close the site', 'pillion'), size: 'compact', onClick: onClose });
