import {type Safe, stillSafe} from './safe.ts';

/** JSON that is safe to print: also escapes characters that JSON allows but a terminal may act on. */
export function jsonText(value: unknown): Safe {
	return stillSafe(
		JSON.stringify(value).replace(
			/[\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g,
			character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
		),
	);
}
