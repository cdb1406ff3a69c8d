/** Editors can choose this template for a page, under this title. */
export default { title: 'Landing' };
