import {z} from 'zod';
import {
	type Computer,
	type ComputerDraft,
	type ComputerPatch,
	machineOffer,
	providerTypes,
} from '../domain/computers/computer.ts';
import {nameLength, remoteUserLength, repoCount, repoLength} from '../domain/limits.ts';
import {agentRoot} from '../domain/sessions/agent-request.ts';
import {workFolderOffer} from '../domain/sessions/work-folder.ts';
import type {CallOptions, Client} from './client.ts';
import {boundedText, oneOf, pathId, uri, uuid, validate} from './request-schemas.ts';
import {
	id,
	lenientBoolean,
	lenientInstant,
	lenientList,
	lenientNumber,
	lenientObject,
	lenientText,
	readOne,
} from './response-schemas.ts';

const step = lenientObject({
	id: lenientText,
	name: lenientText,
	status: lenientText,
	error: lenientText,
	startedAt: lenientInstant,
	completedAt: lenientInstant,
	installSessionId: lenientText,
});

const machineHost = z.union([
	z.strictObject({ssh: z.string()}),
	z.strictObject({command: z.array(z.string())}),
]);

const computer = lenientObject({
	id,
	name: lenientText,
	providerType: lenientText,
	createdAt: lenientInstant,
	hostId: lenientText,
	hostname: lenientText,
	status: lenientText,
	provisioningSteps: lenientList(step),
	relayClientUrl: lenientText,
	relayAgentUrl: lenientText,
	remoteUser: lenientText,
	folder: lenientText,
	agent: lenientText,
	host: machineHost.optional().catch(undefined),
	unreachableSince: lenientNumber,
	updatesWhenIdle: lenientBoolean,
	controlPath: lenientText,
});

const folderList = lenientObject({folders: lenientList(z.string())});

const draft = z.strictObject({
	name: boundedText(nameLength),
	remoteUser: boundedText(remoteUserLength),
	provider: oneOf(providerTypes).optional(),
	hostId: uuid.optional(),
	repos: z
		.array(
			uri.refine(text => text.length <= repoLength, `must be at most ${repoLength} characters`),
			'must be a list',
		)
		.refine(repos => repos.length <= repoCount, `must be at most ${repoCount} repositories`)
		.optional(),
	autoInstallDeps: z.boolean('must be true or false').optional(),
	host: machineHost.optional(),
});

const patch = z.strictObject({
	name: boundedText(nameLength).optional(),
	hostId: uuid.optional(),
	remoteUser: boundedText(remoteUserLength).optional(),
});

const root = '/api/v0/computers';
const pathOf = (computerId: string) => `${root}/${pathId(computerId, 'computerId')}`;

/** The computers. The API can't list them. */
export function createComputers(client: Client) {
	const decode = (response: unknown): Computer => readOne(response, computer, 'computer');
	return {
		create: async (values: ComputerDraft, options?: CallOptions) =>
			client.call({
				resource: 'computers.create',
				offer: values.host && machineOffer,
				method: 'POST',
				path: root,
				body: validate(draft, values, 'computer'),
				decode,
				...options,
			}),
		get: async (computerId: string, options?: CallOptions) =>
			client.call({resource: 'computers.get', method: 'GET', path: pathOf(computerId), decode, ...options}),
		update: async (computerId: string, values: ComputerPatch, options?: CallOptions) =>
			client.call({
				resource: 'computers.update',
				method: 'PATCH',
				path: pathOf(computerId),
				body: validate(patch, values, 'computer'),
				decode,
				...options,
			}),
		installDeps: async (computerId: string, options?: CallOptions) =>
			client.call({
				resource: 'computers.installDeps',
				method: 'POST',
				path: `${pathOf(computerId)}/install-deps`,
				decode,
				...options,
			}),
		/** Connects another machine now, or goes on with what failed. Not in the contract. */
		connect: async (computerId: string, options?: CallOptions) =>
			client.call({
				resource: 'computers.connect',
				offer: machineOffer,
				method: 'POST',
				path: `${agentRoot}/computers/${pathId(computerId, 'computerId')}/connect`,
				decode,
				...options,
			}),
		/** Names of the folders in a folder there, or without one paths of its repositories. Not in the contract. */
		folders: async (computerId: string, folder?: string, options?: CallOptions): Promise<readonly string[]> =>
			client.call({
				resource: 'computers.folders',
				offer: workFolderOffer,
				method: 'GET',
				path: `${agentRoot}/computers/${pathId(computerId, 'computerId')}/folders`,
				query: {in: folder},
				decode: response => readOne(response, folderList, 'folders').folders ?? [],
				...options,
			}),
		/**
		 * Forgets another machine; its sessions stay there. `removes`: ends the service there, and removes what was copied.
		 * Not in the contract.
		 */
		forget: async (computerId: string, removes: boolean, options?: CallOptions): Promise<void> =>
			client.call({
				resource: 'computers.forget',
				offer: machineOffer,
				method: 'POST',
				path: `${agentRoot}/computers/${pathId(computerId, 'computerId')}/forget`,
				body: {removes},
				decode: () => undefined,
				...options,
			}),
	};
}
