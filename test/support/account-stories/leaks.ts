import {execFile} from 'node:child_process';
import {existsSync, readdirSync} from 'node:fs';
import {promisify} from 'node:util';
import {expect} from 'vitest';
import type {FakeRequest} from '../organization-service.ts';
import {allAccounts, type Place, readKeys, saidAt, type World} from './world.ts';

const execute = promisify(execFile);

/** What was looked at, over all stories. */
export const checked = {requests: 0, texts: 0, files: 0};

/** Nothing that one organization's user sees names another. */
export function checkShown(world: World, place: Place, what: string, shown: string): void {
	checked.texts++;
	for (const {word, organization} of othersOf(world, place))
		for (const mark of [word, `,${organization.credits},`])
			if (shown.includes(mark))
				throw new Error(`${what} of ${place.word} shows ${mark} of ${word}:\n${shown}`);
}

const othersOf = ({places}: World, place: Place) => places.filter(one => one !== place);

/** Checks each request once, when its round is over: whatever a key says at a service is its organization's. */
export class RequestCheck {
	readonly #world: World;
	readonly #checkedCounts = new Map<object, number>();

	constructor(world: World) {
		this.#world = world;
	}

	roundEnds(): void {
		for (const service of this.#world.services) {
			const from = this.#checkedCounts.get(service) ?? 0;
			const next = service.requests.slice(from);
			for (const request of next) this.#check(request);
			this.#checkedCounts.set(service, from + next.length);
		}
	}

	#check({key, method, path, headers, text}: FakeRequest): void {
		checked.requests++;
		const place = this.#world.places.find(({keys}) => keys.includes(key));
		if (!place) throw new Error(`nobody has the key of ${method} ${path}`);
		for (const {word} of othersOf(this.#world, place))
			if ([path, headers, text].some(part => part.includes(word)))
				throw new Error(`${place.word} was told of ${word}: ${method} ${path}\n${headers}\n${text}`);
	}
}

/** Each account's files hold its own organization's data only, and those of forgotten accounts are gone. */
export async function checkFiles(world: World): Promise<void> {
	const {cli, owners, goneFolders, places} = world;
	if (!existsSync(cli.stateFolder)) return;
	const found = await findWords(world);
	readKeys(world);
	const accounts = allAccounts(world);
	const isWhole = accounts.every(({id}) => owners.has(id));
	const gone = places.filter(place => isWhole && !accounts.some(({id}) => owners.get(id) === place));
	for (const {path, word} of found) {
		const owner = accounts.find(({file}) => path === file || path === `${file}-wal`);
		const place = owner && owners.get(owner.id);
		if (place && place.word !== word) throw new Error(`${path} of ${place.word} holds data of ${word}`);
		if (goneFolders.some(folder => path.startsWith(`${folder}/`)))
			throw new Error(`${path} of a forgotten account holds data of ${word}`);
		if (gone.some(one => one.word === word))
			throw new Error(`${path} holds data of ${word}, whose accounts were forgotten`);
	}
}

/**
 * Which files of the state folder hold which organization's word. Another process reads them: a process that closes a
 * file drops the locks that sqlite holds on it in that process, and commands run in this one.
 */
async function findWords({cli, places}: World): Promise<readonly {path: string; word: string}[]> {
	const words = places.flatMap(({word}) => ['-e', word]);
	const options = {cwd: cli.stateFolder, maxBuffer: 64 * 1024 * 1024};
	checked.files += readdirSync(cli.stateFolder, {recursive: true}).length;
	// It fails if nothing is found, and if a program that ends meanwhile removes a file.
	const {stdout} = await execute('grep', ['-raosF', ...words, '.'], options).catch(
		(error: {readonly code?: unknown; readonly stdout: string}) => {
			if (error.code === 1 || error.code === 2) return error;
			throw error;
		},
	);
	return [...new Set(stdout.split('\n'))].filter(Boolean).map(line => {
		const at = line.lastIndexOf(':');
		return {path: line.slice('./'.length, at), word: line.slice(at + 1)};
	});
}

/** Nothing was said twice, at another organization, or from a forgotten account. */
export function checkSaid(world: World): void {
	for (const place of world.places) {
		const said = saidAt(place);
		checkShown(world, place, 'the service', said.join('\n'));
		expect(new Set(said).size).toBe(said.length);
		const posted = place.discarded.filter(text => said.some(one => one.includes(`"${text}"`)));
		if (posted.length > 0) throw new Error(`${posted} was posted after its account was forgotten`);
	}
}
