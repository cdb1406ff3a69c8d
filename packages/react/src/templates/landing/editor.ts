/** The template's title for editors, who can choose it for a page. */
export default { title: 'Landing' };
