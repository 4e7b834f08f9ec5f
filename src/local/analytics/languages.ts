import {extname} from 'node:path';

const languages: Readonly<Record<string, string>> = {
	'.c': 'C',
	'.cc': 'C++',
	'.cpp': 'C++',
	'.cs': 'C#',
	'.css': 'CSS',
	'.go': 'Go',
	'.h': 'C',
	'.html': 'HTML',
	'.java': 'Java',
	'.js': 'JavaScript',
	'.jsx': 'JavaScript',
	'.json': 'JSON',
	'.kt': 'Kotlin',
	'.md': 'Markdown',
	'.mjs': 'JavaScript',
	'.php': 'PHP',
	'.py': 'Python',
	'.rb': 'Ruby',
	'.rs': 'Rust',
	'.sh': 'Shell',
	'.sql': 'SQL',
	'.swift': 'Swift',
	'.toml': 'TOML',
	'.ts': 'TypeScript',
	'.tsx': 'TypeScript',
	'.yaml': 'YAML',
	'.yml': 'YAML',
};

/** A path's extension with its dot, in lower case; empty if it has none. */
export function extensionOf(path: string): string {
	return extname(path).toLowerCase();
}

/** A file's language by its extension; undefined if unknown. */
export function languageOf(path: string): string | undefined {
	return languages[extensionOf(path)];
}
