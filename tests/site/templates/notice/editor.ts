export default { title: 'Notice' };
