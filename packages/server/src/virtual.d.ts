/** The site's own `site.config.ts` (vite/site-plugin.mjs). */
declare module 'virtual:pillion/site' {
  const site: import('@pillion/server/site.ts').Site;
  export default site;
}

/** Names of the icons that the site has, such as `favicon.ico` (vite/site-plugin.mjs). */
declare module 'virtual:pillion/icons' {
  const icons: readonly string[];
  export default icons;
}
