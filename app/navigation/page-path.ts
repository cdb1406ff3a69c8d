/** What is ours but no page: endpoints, files of the build, media, and anything that ends like a file. */
const NOT_A_PAGE = /^\/(?:api|assets|media)\/|\.[a-z\d]{2,5}$/i;

export const isPagePath = (pathname: string): boolean => !NOT_A_PAGE.test(pathname);
