/** A question as people type it, and the record that should come first: its method and path, or its kind and name. */
type Asked = readonly [q: string, wanted: string]

/** Questions to what `relevance.test.ts` imports, by what whoever asks remembers. They were written before the ranking was tuned. */
export const QUESTIONS: Readonly<Record<string, readonly Asked[]>> = {
  'a name, or the beginning of one': [
    ['find pet by id', 'GET /pet/{{petId}}'],
    ['create a booking', 'POST /bookings'],
    ['upload an image', 'POST /images'],
    ['get project metadata', 'GET /projects/me'],
    ['ask owlbot', 'POST /owlbot/ask'],
    ['perform a search query', 'GET /search'],
    ['merge pull request', 'POST /2.0/repositories/{{username}}/{{slug}}/pullrequests/{{pid}}/merge'],
    ["i'm a teapot", 'GET /status/418'],
    ['place an order', 'POST /store/order'],
    ['existing bookings', 'GET /bookings']
  ],
  'the words of a name in another order': [
    ['booking create', 'POST /bookings'],
    ['user create', 'POST /user'],
    ['tags pets finds', 'GET /pet/findByTags'],
    ['order purchase delete', 'DELETE /store/order/{{orderId}}'],
    ['stations train list', 'GET /stations'],
    ['roles open', 'GET /apply'],
    ['api validate', 'POST /validate/api'],
    ['changelog entry update', 'PATCH /changelogs/{{identifier}}'],
    ['permanently moved', 'GET /status/301'],
    ['requests many too', 'GET /status/429']
  ],
  'a part of an address': [
    ['/store/inventory', 'GET /store/inventory'],
    ['findByStatus', 'GET /pet/findByStatus'],
    ['outbound_ips', 'GET /outbound_ips'],
    ['projects/me', 'GET /projects/me'],
    ['status/503', 'GET /status/503'],
    ['owlbot/ask', 'POST /owlbot/ask'],
    ['user/createWithList', 'POST /user/createWithList'],
    ['pullrequests merge', 'POST /2.0/repositories/{{username}}/{{slug}}/pullrequests/{{pid}}/merge'],
    ['bookings/{{bookingId}}/payment', 'POST /bookings/{{bookingId}}/payment'],
    ['GET /astronomicalObject/search', 'GET /astronomicalObject/search']
  ],
  'a folder or a collection, and what is in it': [
    ['train travel pay', 'POST /bookings/{{bookingId}}/payment'],
    ['petstore login', 'GET /user/login'],
    ['petstore create user', 'POST /user'],
    ['oauth password', 'DELETE /anything/oauth2'],
    ['redirection 302', 'GET /status/302'],
    ['api key header', 'PUT /anything/apiKey'],
    ['http bearer', 'POST /anything/bearer'],
    ['openid general support', 'POST /anything/openIdConnect'],
    ['metadata list data sets', 'GET /'],
    ['server error 504', 'GET /status/504']
  ],
  'one letter off': [
    ['find pet by sttaus', 'GET /pet/findByStatus'],
    ['delte a booking', 'DELETE /bookings/{{bookingId}}'],
    ['invntory', 'GET /store/inventory'],
    ['teapoot', 'GET /status/418'],
    ['changelgo entries', 'GET /changelogs'],
    ['avialable train trips', 'GET /trips'],
    ['uplaod image', 'POST /images'],
    ['get repositry', 'GET /2.0/repositories/{{username}}/{{slug}}'],
    ['recipies', 'folder Recipes'],
    ['gatway timeout', 'GET /status/504']
  ],
  'a method and a word, a header, a word of a description': [
    ['DELETE pet', 'DELETE /pet/{{petId}}'],
    ['patch branch', 'PATCH /branches/{{branch}}'],
    ['put user', 'PUT /user/{{username}}'],
    ['post weapon', 'POST /weapon/search'],
    ['temporary hold', 'POST /bookings'],
    ['x-api-key', 'PUT /anything/apiKey'],
    ['content-type image', 'POST /anything/image-png'],
    ['comma separated status', 'GET /pet/findByStatus'],
    ['brew coffee', 'GET /status/418'],
    ['hiring', 'GET /apply']
  ]
}
