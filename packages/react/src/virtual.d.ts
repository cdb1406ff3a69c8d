/** The site's scene for the hero (vite/site-plugin.mjs of the server). */
declare module 'virtual:pillion/hero' {
  /** `null`: no scene, only the picture. */
  export const mountHero: import('@pillion/motion/hero-scene.ts').HeroScene | null;
}

/** The parts of the music; without effect if the site has no music. */
declare module 'virtual:pillion/music' {
  export const createMixer: typeof import('@pillion/motion/sound/mixer.ts').createMixer;
  export const SoundHint: typeof import('@pillion/react/shell/sound-hint/sound-hint.tsx').SoundHint;
  export const SoundToggle: typeof import('@pillion/react/shell/toggles/sound-toggle.tsx').SoundToggle;
}
