import {promises} from 'node:fs';
import {dirname, join} from 'node:path';
import {createCachedReads} from './cached-reads.ts';

/** A prompt saved as a file. Text is raw. */
export type SavedPrompt = {
	/** Its path below its folder, without `.md`: `review`, `git:commit`. */
	readonly name: string;
	readonly text: string;
	/** From the file's front matter, else its first line. */
	readonly description: string;
};

/** Where to look: folders of prompts, and a work folder whose repository may have prompts, too. */
export type PromptSources = {readonly folders: readonly string[]; readonly workFolder?: string | undefined};

/** Finds saved prompts. Returns the cached ones and calls `arrived` when newer ones are loaded. */
export type PromptFinder = (
	sources: PromptSources,
	arrived: () => void,
) => readonly SavedPrompt[] | undefined;

const limits = {files: 200, size: 64 * 1024, depth: 3, ancestors: 20} as const;
/** Folders in which agents keep a repository's prompts. */
const repositoryFolders = ['.claude/commands', '.factory/commands'] as const;

/** `now` in ms. */
export function createPromptFinder(now: () => number): PromptFinder {
	const cached = createCachedReads<readonly SavedPrompt[]>(now);
	return (sources, arrived) => cached(JSON.stringify(sources), () => readPrompts(sources), arrived);
}

/** All prompts, sorted by name. If two have the same name, the repository's is used. */
async function readPrompts({folders, workFolder}: PromptSources): Promise<readonly SavedPrompt[]> {
	const own = workFolder === undefined ? [] : await promptFoldersOf(workFolder);
	const prompts = new Map<string, SavedPrompt>();
	for (const folder of [...own, ...folders])
		for (const prompt of await promptsIn(folder))
			if (!prompts.has(prompt.name)) prompts.set(prompt.name, prompt);
	return [...prompts.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The prompt folders of a folder and those above it, up to the root of its repository. */
async function promptFoldersOf(workFolder: string): Promise<string[]> {
	const folders: string[] = [];
	let folder = workFolder;
	for (let level = 0; level < limits.ancestors; level++) {
		folders.push(...repositoryFolders.map(name => join(folder, name)));
		const isRoot = await promises.stat(join(folder, '.git')).then(
			() => true,
			() => false,
		);
		if (isRoot) return folders;
		if (dirname(folder) === folder) break;
		folder = dirname(folder);
	}
	// Outside a repository, the folders above are unrelated.
	return folders.slice(0, repositoryFolders.length);
}

async function promptsIn(folder: string, prefix = '', depth = 1): Promise<SavedPrompt[]> {
	const names = (await promises.readdir(folder).catch((): string[] => [])).sort().slice(0, limits.files);
	const prompts: SavedPrompt[] = [];
	for (const name of names) {
		if (prompts.length >= limits.files) break;
		const path = join(folder, name);
		const about = await promises.stat(path).catch(() => undefined);
		if (about?.isDirectory() && depth < limits.depth && !name.startsWith('.'))
			prompts.push(...(await promptsIn(path, `${prefix}${name}:`, depth + 1)));
		else if (about?.isFile() && about.size <= limits.size && name.endsWith('.md')) {
			const source = await promises.readFile(path, 'utf8').catch(() => undefined);
			if (source !== undefined) prompts.push(promptOf(prefix + name.slice(0, -'.md'.length), source));
		}
	}
	return prompts.slice(0, limits.files);
}

const frontMatter = /^\uFEFF?---\r?\n([\s\S]*?)\r?\n---(?:\r?\n|$)/;

function promptOf(name: string, source: string): SavedPrompt {
	const found = frontMatter.exec(source);
	const text = source.slice(found?.[0].length ?? 0).trim();
	const described = /^description:(.*)$/m.exec(found?.[1] ?? '')?.[1]?.trim() ?? '';
	const unquoted = described.replace(/^(["'])(.*)\1$/, '$2');
	return {name, text, description: unquoted || (text.split('\n', 1)[0] ?? '')};
}

const placeholder = /\$(ARGUMENTS|[1-9])(?!\w)/g;

/** Whether a prompt has placeholders for arguments. */
export function takesArguments({text}: SavedPrompt): boolean {
	return text.search(placeholder) !== -1;
}

/** The prompt's text with its arguments: in place of `$ARGUMENTS` (all) or `$1` (first word), else after the text. */
export function withArguments(prompt: SavedPrompt, args: string): string {
	const all = args.trim();
	const words = all.split(/\s+/);
	if (takesArguments(prompt))
		return prompt.text.replace(placeholder, (_, which: string) =>
			which === 'ARGUMENTS' ? all : (words[Number(which) - 1] ?? ''),
		);
	return all === '' ? prompt.text : `${prompt.text}\n\n${all}`;
}
