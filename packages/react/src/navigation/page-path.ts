/** Paths of this site that are not pages: endpoints, files of the build, media, and paths with a file extension. */
const NOT_A_PAGE = /^\/(?:api|assets|media)\/|\.[a-z\d]{2,5}$/i;

export const isPagePath = (pathname: string): boolean => !NOT_A_PAGE.test(pathname);
