/** The site's own `site.config.ts` (vite/site-plugin.mjs). */
declare module 'virtual:pillion/site' {
  const site: import('@pillion/server/site.ts').Site;
  export default site;
}
