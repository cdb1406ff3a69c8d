/** Description of each picture and sound of the demo, by file; `npm run assets -- notices` writes it to NOTICES.md. */
export const PICTURES = {
  'hero.webp': 'rider on a mountain road, gold',
  'hero-portrait.webp': 'the same for upright screens',
  'gold.webp': 'act one',
  'gold-portrait.webp': 'the same for upright screens',
  'ember.webp': 'act two',
  'ember-portrait.webp': 'the same for upright screens',
  'night.webp': 'act three',
  'night-portrait.webp': 'the same for upright screens',
  'night-road.webp': 'behind the form',
  'night-road-portrait.webp': 'the same for upright screens, rider in the upper third',
  'stop-1.webp': 'a stop on the route, for the gallery',
  'stop-2.webp': 'the second',
  'stop-3.webp': 'the third',
  'stop-4.webp': 'the fourth',
  'stop-5.webp': 'the fifth',
  'stop-6.webp': 'the sixth',
  'wheel.webp': 'front wheel, rendered with Blender',
  'lamp.webp': 'headlamp, rendered with Blender',
  'route-map.webp': 'contours of the Hallen Pass, on a clear ground',
  'social.webp': 'picture for shared links',
  'last-light.mp3': 'music, 48 s that loop without a seam, computed',
};

export const ICONS = {
  'favicon.svg': 'half sun of the wordmark, light and dark',
  'favicon.ico': '32 px',
  'apple-touch-icon.png': '180 px',
  'icon-192.png': '192 px',
  'icon-512.png': '512 px',
  'icon-maskable-512.png': '512 px, drawing inside the safe circle',
};
