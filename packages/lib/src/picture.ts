export interface PictureSource {
  src: string;
  /** Width of this file in pixels, for `srcset`. */
  width: number;
}

/** A picture under the site's own URL, with all WordPress sizes of the same aspect ratio. */
export interface Picture {
  src: string;
  alt: string;
  width: number;
  height: number;
  /** Ascending by width, including `src`. */
  sources: PictureSource[];
}
