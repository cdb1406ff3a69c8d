/** Either form of the media feature by which a visitor asks for less motion (Media Queries 5, 12.1). */
const MOTION = /\(prefers-reduced-motion(?::\s*(reduce|no-preference))?\)/g;

/** Media features that hold and do not hold on every screen. */
const ALWAYS = '(min-width: 0px)';
const NEVER = '(max-width: 0px)';

/** @returns A media query as it reads for somebody who asked for less motion. */
export const asCalm = (query: string): string =>
  query.replace(MOTION, (_, value?: string) => (value === 'no-preference' ? NEVER : ALWAYS));

/** The site's calm form, switched on and off in a page that runs. */
export interface ForCalm {
  set(isCalm: boolean): void;
}

/**
 * Answers the media query for calm in the browser's place, so that a page can be seen in its calm form without a setting
 * of the system and without a reload. Scripts get the answer from `matchMedia`, and a `change` as they would when the
 * setting changes under the page; of stylesheets the conditions are written anew. Has to be called before anybody has asked.
 */
export function answerForCalm(): ForCalm {
  const listeners = new Set<MediaQueryList>();
  const written = new Map<MediaList, string>();
  const { prototype } = MediaQueryList;
  const matches = Object.getOwnPropertyDescriptor(prototype, 'matches')?.get as (this: MediaQueryList) => boolean;
  let isCalm = false;

  Object.defineProperty(prototype, 'matches', {
    configurable: true,
    enumerable: true,
    get(this: MediaQueryList) {
      const query = asCalm(this.media);
      return matches.call(isCalm && query !== this.media ? matchMedia(query) : this);
    },
  });
  prototype.addEventListener = function (this: MediaQueryList, ...args: [string, EventListener]) {
    if (asCalm(this.media) !== this.media) listeners.add(this);
    EventTarget.prototype.addEventListener.apply(this, args);
  };

  const write = (rules: CSSRuleList) => {
    for (const rule of rules) {
      if (rule instanceof CSSMediaRule) {
        const { media } = rule;
        const query = asCalm(media.mediaText);
        if (query !== media.mediaText) {
          written.set(media, media.mediaText);
          media.mediaText = query;
        }
      }
      if ('cssRules' in rule) write(rule.cssRules as CSSRuleList);
    }
  };
  const writeAll = () => {
    for (const sheet of document.styleSheets) write(sheet.cssRules);
  };
  // A stylesheet that comes later, a form's for one.
  const onLoaded = ({ target }: Event) => {
    if (isCalm && target instanceof HTMLLinkElement) writeAll();
  };
  document.addEventListener('load', onLoaded, true);

  return {
    set(wanted) {
      if (wanted === isCalm) return;
      isCalm = wanted;
      if (isCalm) writeAll();
      else {
        for (const [media, text] of written) media.mediaText = text;
        written.clear();
      }
      for (const list of listeners) {
        const { media, matches } = list;
        list.dispatchEvent(new MediaQueryListEvent('change', { media, matches }));
      }
    },
  };
}
