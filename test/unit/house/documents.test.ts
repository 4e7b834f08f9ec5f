import {existsSync, readdirSync, readFileSync} from 'node:fs';
import {dirname, join, relative, resolve} from 'node:path';
import {describe, expect, test} from 'vitest';
import {topics} from '../../../src/commands/cli/topics.ts';
import {sourceFiles} from '../../support/source-files.ts';

const top = resolve(import.meta.dirname, '../../..');
const read = (file: string) => readFileSync(join(top, file), 'utf8');

const documents = [
	'README.md',
	...Object.keys(topics).map(topic => `src/commands/help/${topic}.md`),
	'CHANGELOG.md',
	'.ci/README.md',
	'.github/CONTRIBUTING.md',
	'src/README.md',
	'src/api/README.md',
	'src/local/agents/README.md',
	'src/text/markdown/README.md',
	'hooks/README.md',
	'test/README.md',
];

/** A path from the top folder that names a file or folder of the project. */
const projectPath = /^(?:src|hooks|test|\.ci|\.github)\/[\w./{}*,-]*$|^[\w-]+\.(?:md|json)$/;

/** Files of others, and files that the program makes, which have no folder here. */
const elsewhere = new Set(['hooks.json', 'settings.json', 'config.json', 'service.json']);

/** Says what is wrong with each reference, or nothing. */
function missing(references: readonly {readonly file: string; readonly section?: string}[]): string[] {
	return references.flatMap(({file, section}) => {
		if (!existsSync(join(top, file))) return [file];
		return section === undefined || sectionsOf(read(file)).has(anchorOf(section))
			? []
			: [`${file}: ${section}`];
	});
}

/** The anchors of a document's headings; a `#` in a block of code is none. */
function sectionsOf(document: string): ReadonlySet<string> {
	const headings = document.replaceAll(/^```[\s\S]*?^```/gm, '').matchAll(/^#+ (.+)$/gm);
	return new Set([...headings].map(([, title = '']) => anchorOf(title)));
}

function anchorOf(title: string): string {
	return title
		.toLowerCase()
		.replaceAll(/[^\w\s-]/g, '')
		.trim()
		.replaceAll(/\s+/g, '-');
}

/** Paths in backquotes, and the targets of links and images that lead to no other host. */
function referencesOf(document: string, text: string) {
	const quoted = [...text.matchAll(/(?<!`)`([^`\n]+)`(?!`)/g)]
		.map(([, file = '']) => file)
		.filter(file => projectPath.test(file) && !elsewhere.has(file));
	const linked = [...text.matchAll(/\]\(([^)\s]+)\)|src(?:set)?="([^"]+)"/g)]
		.map(([, link, source]) => link ?? source ?? '')
		.filter(link => !/^[a-z]+:/.test(link));
	return [
		...quoted.map(file => ({file})),
		...linked.map(link => {
			const [file = '', section] = link.split('#');
			const target = file === '' ? document : relative(top, resolve(top, dirname(document), file));
			return {file: target, ...(section !== undefined && {section})};
		}),
	];
}

/** Every comment as one line of text. */
function commentsOf(source: string): string[] {
	const found = source.match(/\/\*[\s\S]*?\*\/|(?:^[ \t]*\/\/.*\n?)+|(?<=[;,{}()\]] )\/\/ .*/gm) ?? [];
	return found.map(comment => comment.replaceAll(/\s*\n\s*(?:\*(?!\/)|\/\/)?\s*/g, ' '));
}

describe('the documents', () => {
	const code = sourceFiles('src', 'hooks', 'test/support');

	test.each(documents)('%s names only what exists', document => {
		expect(missing(referencesOf(document, read(document)))).toEqual([]);
	});

	test.each(documents)('%s names only code that exists', document => {
		const text = read(document).replaceAll(/^```[\s\S]*?^```/gm, '');
		const words = [...text.matchAll(/`([A-Za-z]*[a-z][A-Z]\w*)`/g)].map(([, word = '']) => word);
		expect(words.filter(word => !code.some(file => new RegExp(`\\b${word}\\b`).test(file.text)))).toEqual([]);
	});

	test('the map names every folder of src', () => {
		const folders = readdirSync(join(top, 'src'), {withFileTypes: true}).filter(entry => entry.isDirectory());
		const map = read('src/README.md');
		for (const {name} of folders) expect(map).toContain(`\`src/${name}/\``);
	});

	test('the README stays short', () => {
		expect(read('README.md').split('\n').length).toBeLessThanOrEqual(200);
	});

	test('the map and its glossary stay short', () => {
		const [map = '', glossary = ''] = read('src/README.md').split('## Glossary');
		expect(map.split('\n').length).toBeLessThanOrEqual(120);
		expect(glossary.split('\n').length).toBeLessThanOrEqual(60);
	});
});

describe('comments', () => {
	const files = sourceFiles('src', 'hooks', 'test', '.ci');

	test('name only paths that exist', () => {
		const wrong = files.flatMap(({path, text}) =>
			commentsOf(text).flatMap(comment => {
				const named = [...comment.matchAll(/(?<![\w./-])((?:src|hooks|test|\.ci)\/[\w./-]*\w\.\w+)/g)];
				const references = [
					...named.map(([, file = '']) => ({file})),
					...[...comment.matchAll(/"([^"]+)" in ([\w./-]+\.md)/g)].map(([, section = '', file = '']) => ({
						file,
						section,
					})),
				];
				return missing(references).map(what => `${path}: ${what}`);
			}),
		);
		expect(wrong).toEqual([]);
	});

	test('cite no document that is not in the repository', () => {
		for (const {path, text} of files)
			for (const comment of commentsOf(text))
				for (const [name] of comment.matchAll(
					/(?<=\()[A-Z]{4,}(?:-[A-Z]+)*(?=, [A-Z])|\b[A-Z]{4,}(?:-[A-Z]+)*\.md\b/g,
				))
					expect(documents.includes(name) ? '' : `${path}: ${name}`).toBe('');
	});

	test('cite no numbered section of the contract', () => {
		const wrong = files.filter(({text}) =>
			commentsOf(text).some(comment => /\bcontract,? (?:section )?\d/i.test(comment)),
		);
		expect(wrong.map(({path}) => path)).toEqual([]);
	});
});
