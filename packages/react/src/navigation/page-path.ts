/** Paths of this site that lead to no page: endpoints, files of the build, media, and anything with a file's ending. */
const NOT_A_PAGE = /^\/(?:api|assets|media)\/|\.[a-z\d]{2,5}$/i;

export const isPagePath = (pathname: string): boolean => !NOT_A_PAGE.test(pathname);
