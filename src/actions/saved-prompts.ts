import {promises} from 'node:fs';
import {dirname, join} from 'node:path';
import type {Service} from '../api/service.ts';
import {createCachedReads} from './cached-reads.ts';
import {isBelow, rootOf} from './repository-root.ts';

/** A prompt saved as a file. Text is raw. */
export type SavedPrompt = {
	/** Its path below its folder, without `.md`: `review`, `git:commit`. */
	readonly name: string;
	readonly text: string;
	/** From the file's front matter, else its first line. */
	readonly description: string;
	/** A command of the session's agent: its arguments are typed after it, and it is sent as it is. */
	readonly isCommand?: true;
};

/** Where to look: folders of prompts, and a work folder whose repository may have prompts, too. */
export type PromptSources = {readonly folders: readonly string[]; readonly workFolder?: string | undefined};

/** Finds saved prompts. Returns the cached ones and calls `arrived` when newer ones are loaded. */
type PromptFinder = (sources: PromptSources, arrived: () => void) => readonly SavedPrompt[] | undefined;

const limits = {files: 200, size: 64 * 1024, depth: 3} as const;
const repositoryFolders = ['.claude/commands', '.factory/commands'] as const;

/** `now` in ms. */
export function createPromptFinder(now: () => number): PromptFinder {
	const cached = createCachedReads<readonly SavedPrompt[]>(now);
	return (sources, arrived) => cached(JSON.stringify(sources), () => readPrompts(sources), arrived);
}

/** All prompts, sorted by name. If two have the same name, the repository's is used. */
async function readPrompts({folders, workFolder}: PromptSources): Promise<readonly SavedPrompt[]> {
	const prompts = new Map<string, SavedPrompt>();
	const add = async (folder: string, root?: string) => {
		for (const prompt of await promptsIn(folder, root))
			if (!prompts.has(prompt.name)) prompts.set(prompt.name, prompt);
	};
	const root = workFolder === undefined ? undefined : await rootOf(workFolder);
	if (workFolder !== undefined && root !== undefined)
		for (const folder of promptFoldersOf(workFolder, root)) await add(folder, root);
	for (const folder of folders) await add(folder);
	return [...prompts.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The prompt folders of a folder and those above it, up to the root of its repository. */
function promptFoldersOf(workFolder: string, root: string): string[] {
	const folders: string[] = [];
	for (let folder = workFolder; ; folder = dirname(folder)) {
		folders.push(...repositoryFolders.map(name => join(folder, name)));
		if (folder === root || dirname(folder) === folder) return folders;
	}
}

/** With a `root`, leaves out what lies outside of it: the links of a repository lead anywhere. */
async function promptsIn(
	folder: string,
	root: string | undefined,
	prefix = '',
	depth = 1,
): Promise<SavedPrompt[]> {
	const names = (await promises.readdir(folder).catch((): string[] => [])).sort().slice(0, limits.files);
	const prompts: SavedPrompt[] = [];
	for (const name of names) {
		if (prompts.length >= limits.files) break;
		const path = join(folder, name);
		if (root !== undefined && !(await isBelow(path, root))) continue;
		const about = await promises.stat(path).catch(() => undefined);
		if (about?.isDirectory() && depth < limits.depth && !name.startsWith('.'))
			prompts.push(...(await promptsIn(path, root, `${prefix}${name}:`, depth + 1)));
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

/** Commands of a session's agent, as prompts. Returns those known, and calls `arrived` when newer ones are read. */
type CommandFinder = (sessionId: string, arrived: () => void) => readonly SavedPrompt[] | undefined;

/** `now` in ms. */
export function createCommandFinder(service: Service, now: () => number): CommandFinder {
	const known = createCachedReads<readonly SavedPrompt[]>(now);
	const read = async (sessionId: string) => {
		// A service that can't be asked has none to offer.
		const commands = await service.agentRequests.commands(sessionId).catch(() => []);
		return commands.map(({name, description, hint}) => ({
			name,
			text: `/${name} `,
			description: [hint, description].filter(Boolean).join(' · '),
			isCommand: true as const,
		}));
	};
	return (sessionId, arrived) => known(sessionId, () => read(sessionId), arrived);
}
