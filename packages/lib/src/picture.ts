export interface PictureSource {
  src: string;
  /** Width of this file in pixels, for `srcset`. */
  width: number;
}

/** A picture under the site's own address, with every size WordPress made of it at the same aspect ratio. */
export interface Picture {
  src: string;
  alt: string;
  width: number;
  height: number;
  /** Ascending by width, `src` among them. */
  sources: PictureSource[];
}
