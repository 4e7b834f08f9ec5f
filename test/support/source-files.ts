import {readdirSync, readFileSync} from 'node:fs';
import {dirname, join, relative, resolve} from 'node:path';

const top = resolve(import.meta.dirname, '../..');

export type SourceFile = {
	/** From the top folder, with forward slashes. */
	readonly path: string;
	readonly text: string;
	/** What it imports: paths from the top folder, or package names. */
	readonly imports: readonly string[];
};

/** Every TypeScript file of the product. */
export function sourceFiles(...folders: string[]): SourceFile[] {
	return folders.flatMap(folder =>
		readdirSync(join(top, folder), {recursive: true, encoding: 'utf8'})
			.filter(name => /\.tsx?$/.test(name))
			.map(name => readSource(join(top, folder, name))),
	);
}

function readSource(file: string): SourceFile {
	const text = readFileSync(file, 'utf8');
	const names = [...text.matchAll(/(?:from|import|import\()\s*'([^']+)'/g)].map(match => match[1] as string);
	return {
		path: relative(top, file),
		text,
		imports: names.map(name => (name.startsWith('.') ? relative(top, resolve(dirname(file), name)) : name)),
	};
}
