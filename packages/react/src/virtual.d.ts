/** The site's scene for the hero (vite/site-plugin.mjs of the server). */
declare module 'virtual:pillion/hero' {
  /** `null`: no scene, only the picture. */
  export const mountHero: import('@pillion/motion/hero-scene.ts').HeroScene | null;
}

/** The site's picture around the title of an error page, or the title alone. */
declare module 'virtual:pillion/error-art' {
  export const Art: import('@pillion/react/ui/error-page/error-page.tsx').ErrorArt;
}

/** The music; without effect if the site has no music. */
declare module 'virtual:pillion/music' {
  export const createMixer: typeof import('@pillion/motion/sound/mixer.ts').createMixer;
  export const attachSound: typeof import('@pillion/react/shell/sound-toggle/attach-sound.ts').attachSound;
}

/** Components for the music, separate because React is another chunk; they show nothing if the site has no music. */
declare module 'virtual:pillion/sound-controls' {
  export const SoundHint: typeof import('@pillion/react/shell/sound-hint/sound-hint.tsx').SoundHint;
  export const SoundToggle: typeof import('@pillion/react/shell/sound-toggle/sound-toggle.tsx').SoundToggle;
}

/** Parts of the site's own sections and templates, by the name of their folder (vite/own-parts-plugin.mjs of the server). */
declare module 'virtual:pillion-own/section-views' {
  const views: Record<
    string,
    import('react').ComponentType<import('@pillion/react/ui/section-props.ts').SectionProps<never>>
  >;
  export default views;
}
declare module 'virtual:pillion-own/section-sheets' {
  const addresses: Record<string, string>;
  export default addresses;
}
declare module 'virtual:pillion-own/section-styles' {
  const addressesOf: Record<string, (section: never) => string[]>;
  export default addressesOf;
}
declare module 'virtual:pillion-own/templates' {
  const templates: Record<string, import('@pillion/react/templates/template.ts').Template>;
  export default templates;
}
declare module 'virtual:pillion-own/lazy-templates' {
  const load: Record<string, () => Promise<import('@pillion/react/templates/template.ts').Template>>;
  export default load;
}
declare module 'virtual:pillion-own/template-styles' {
  const addresses: Record<string, string[]>;
  export default addresses;
}
