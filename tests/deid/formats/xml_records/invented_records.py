"""Invented XML records of each family. The values in braces are those of a person or a provider."""

OPENEHR = """<composition xmlns="http://schemas.openehr.org/v1"
 xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
 archetype_node_id="openEHR-EHR-COMPOSITION.encounter.v1">
<name><value>Encounter</value></name>
<uid xsi:type="OBJECT_VERSION_ID"><value>{uuid}::{host}::1</value></uid>
<archetype_details><archetype_id><value>openEHR-EHR-COMPOSITION.encounter.v1</value></archetype_id>
<rm_version>1.0.1</rm_version></archetype_details>
<language><terminology_id><value>ISO_639-1</value></terminology_id>
<code_string>en</code_string></language>
<composer xsi:type="PARTY_IDENTIFIED"><name>{provider}</name></composer>
<context><start_time><value>{day}T09:10:00</value></start_time>
<health_care_facility><name>{clinic}</name></health_care_facility></context>
<content xsi:type="OBSERVATION" archetype_node_id="openEHR-EHR-OBSERVATION.blood_pressure.v1">
<name><value>Blood pressure</value></name>
<subject xsi:type="PARTY_RELATED"><name>{relative}</name></subject>
<data archetype_node_id="at0001"><events archetype_node_id="at0002">
<time><value>{day}T09:15:00</value></time><data>
<items xsi:type="ELEMENT" archetype_node_id="at0004"><name><value>Systolic</value></name>
<value xsi:type="DV_QUANTITY"><magnitude>142</magnitude><units>mm[Hg]</units></value></items>
<items xsi:type="ELEMENT" archetype_node_id="at0005"><name><value>Comment</value></name>
<value xsi:type="DV_TEXT"><value>{given} {family} was seen with her daughter, call {phone}</value>
</value></items>
<items xsi:type="ELEMENT" archetype_node_id="at0006"><name><value>Comment</value></name>
<value xsi:type="DV_TEXT"><value>{family}</value></value></items>
<items xsi:type="ELEMENT" archetype_node_id="at0007"><name><value>Patient name</value></name>
<value xsi:type="DV_TEXT"><value>{given} {family}</value></value></items>
<items xsi:type="ELEMENT" archetype_node_id="at0008"><name><value>Hospital number</value></name>
<value xsi:type="DV_IDENTIFIER"><issuer>{clinic}</issuer><id>{mrn}</id><type>{family}</type></value>
</items>
<items xsi:type="ELEMENT" archetype_node_id="at0009"><name><value>Position</value></name>
<value xsi:type="DV_CODED_TEXT"><value>Sitting</value><defining_code><terminology_id>
<value>local</value></terminology_id><code_string>at1001</code_string></defining_code></value></items>
<items xsi:type="ELEMENT" archetype_node_id="{mrn}"><name><value>{family}</value></name>
<value xsi:type="DV_CODED_TEXT"><value>{family}</value><defining_code><terminology_id>
<value>{clinic}</value></terminology_id><code_string>{mrn}</code_string></defining_code></value>
</items></data></events></data></content></composition>
"""

SCRIPT = """<Message DatatypesVersion="20170715" TransportVersion="20170715"
 TransactionDomain="SCRIPT" TransactionVersion="20170715" StructuresVersion="20170715">
<Header><To Qualifier="P">{number}</To><From Qualifier="D">{account}</From>
<MessageID>{uuid}</MessageID><SentTime>{day}T11:02:00</SentTime>
<Security><UsernameToken><Username>{family}</Username><Password>{mrn}</Password></UsernameToken>
</Security></Header>
<Body><NewRx><BenefitsCoordination><CardholderID>{plan}</CardholderID>
<CardHolderName><LastName>{relative}</LastName></CardHolderName></BenefitsCoordination>
<Patient><HumanPatient><Identification><SocialSecurity>{ssn}</SocialSecurity>
<MedicalRecordIdentificationNumberEHR>{mrn}</MedicalRecordIdentificationNumberEHR></Identification>
<Name><LastName>{family}</LastName><FirstName>{given}</FirstName></Name><Gender>F</Gender>
<DateOfBirth><Date>{birth}</Date></DateOfBirth>
<Address><AddressLine1>{street}</AddressLine1><City>{city}</City>
<StateProvince>WI</StateProvince><PostalCode>53213</PostalCode><CountryCode>US</CountryCode>
</Address><CommunicationNumbers><PrimaryTelephone><Number>{phone}</Number></PrimaryTelephone>
<ElectronicMail>{email}</ElectronicMail></CommunicationNumbers></HumanPatient></Patient>
<Pharmacy><Identification><NCPDPID>{number}</NCPDPID></Identification>
<BusinessName>{clinic}</BusinessName></Pharmacy>
<Prescriber><NonVeterinarian><Identification><NPI>{account}</NPI></Identification>
<Name><LastName>{provider}</LastName></Name></NonVeterinarian></Prescriber>
<MedicationPrescribed><DrugDescription>Lisinopril 10 mg oral tablet</DrugDescription>
<DrugCoded><ProductCode><Code>00093111098</Code><Qualifier>ND</Qualifier></ProductCode>
<OddCode><Code>{mrn}</Code></OddCode></DrugCoded>
<Quantity><Value>30</Value><CodeListQualifier>38</CodeListQualifier></Quantity>
<DaysSupply>30</DaysSupply><WrittenDate><Date>{day}</Date></WrittenDate>
<NumberOfRefills>2</NumberOfRefills><Note>{family}</Note>
<Sig><SigText>Take one tablet by mouth daily</SigText></Sig>
<Vanderquist>{phone}</Vanderquist></MedicationPrescribed></NewRx></Body></Message>
"""

XDS = """<lcm:SubmitObjectsRequest xmlns:lcm="urn:oasis:names:tc:ebxml-regrep:xsd:lcm:3.0"
 xmlns:rim="urn:oasis:names:tc:ebxml-regrep:xsd:rim:3.0"><rim:RegistryObjectList>
<rim:ExtrinsicObject id="{uuid}" mimeType="text/xml"
 objectType="urn:uuid:7edca82f-054d-47f2-a032-9b2a5b5186c1">
<rim:Slot name="creationTime"><rim:ValueList><rim:Value>{stamp}</rim:Value></rim:ValueList></rim:Slot>
<rim:Slot name="languageCode"><rim:ValueList><rim:Value>en-us</rim:Value></rim:ValueList></rim:Slot>
<rim:Slot name="sourcePatientId"><rim:ValueList>
<rim:Value>{mrn}^^^&amp;1.3.6.1.4.1.21367.9&amp;ISO</rim:Value></rim:ValueList></rim:Slot>
<rim:Slot name="sourcePatientInfo"><rim:ValueList><rim:Value>PID-3|{mrn}^^^&amp;1.3.6&amp;ISO</rim:Value>
<rim:Value>PID-5|{family}^{given}^^^</rim:Value><rim:Value>PID-7|{stamp}</rim:Value>
<rim:Value>PID-8|F</rim:Value><rim:Value>PID-11|{street}^^{city}^WI^53213^US</rim:Value>
<rim:Value>{family} {given}</rim:Value></rim:ValueList></rim:Slot>
<rim:Slot name="{family}"><rim:ValueList><rim:Value>{phone}</rim:Value></rim:ValueList></rim:Slot>
<rim:Name><rim:LocalizedString value="{family}"/></rim:Name>
<rim:Description><rim:LocalizedString value="Summary for {given} {family}, born {birth}"/></rim:Description>
<rim:Classification classificationScheme="urn:uuid:93606bcf-9494-43ec-9b4e-a7748d1a838d"
 classifiedObject="{uuid}" id="{number}">
<rim:Slot name="authorPerson"><rim:ValueList><rim:Value>{account}^{provider}^Ann^^^Dr^MD</rim:Value>
</rim:ValueList></rim:Slot>
<rim:Slot name="authorInstitution"><rim:ValueList><rim:Value>{clinic}</rim:Value></rim:ValueList></rim:Slot>
</rim:Classification>
<rim:Classification classificationScheme="urn:uuid:41a5887f-8865-4c09-adf7-e362475b143a"
 nodeRepresentation="34133-9" id="{number}"><rim:Slot name="codingScheme"><rim:ValueList>
<rim:Value>LOINC</rim:Value></rim:ValueList></rim:Slot>
<rim:Name><rim:LocalizedString value="Summarization of Episode Note"/></rim:Name></rim:Classification>
<rim:Classification nodeRepresentation="{mrn}" id="{number}"/>
<rim:ExternalIdentifier identificationScheme="urn:uuid:58a6f841-87b3-4a3e-92fd-a8ffeff98427"
 value="{mrn}^^^&amp;1.3.6&amp;ISO" id="{number}"><rim:Name>
<rim:LocalizedString value="XDSDocumentEntry.patientId"/></rim:Name></rim:ExternalIdentifier>
</rim:ExtrinsicObject></rim:RegistryObjectList></lcm:SubmitObjectsRequest>
"""

ODM = """<ODM xmlns="http://www.cdisc.org/ns/odm/v1.3" FileType="Snapshot" ODMVersion="1.3.2"
 FileOID="{uuid}" CreationDateTime="{day}T08:00:00"><ClinicalData StudyOID="{account}"
 MetaDataVersionOID="v1.2">
<SubjectData SubjectKey="{mrn}"><SiteRef LocationOID="{clinic}"/>
<StudyEventData StudyEventOID="SE.SCREENING" StudyEventRepeatKey="1"><FormData FormOID="F.DEMOG">
<ItemGroupData ItemGroupOID="IG.DEMOG" TransactionType="Insert">
<ItemData ItemOID="IT.DOB" Value="{birth}"/><ItemData ItemOID="IT.SEX" Value="F"/>
<ItemData ItemOID="IT.INITIALS" Value="{family}"/><ItemData ItemOID="I_PHONE" Value="{phone}"/>
<ItemData ItemOID="IT.COMMENT" Value="{given} {family} called about {phone}"/>
<ItemData ItemOID="IT.Vanderquist" Value="{ssn}"/><ItemData ItemOID="IT.X7" Value="{family}"/>
</ItemGroupData></FormData></StudyEventData></SubjectData>
<SubjectData SubjectKey="{number}"><StudyEventData StudyEventOID="SE.SCREENING">
<FormData FormOID="F.DEMOG"><ItemGroupData ItemGroupOID="IG.DEMOG">
<ItemData ItemOID="IT.DOB" Value="1977-03-02"/><ItemData ItemOID="IT.SEX" Value="M"/>
<ItemData ItemOID="IT.INITIALS" Value="{relative}"/></ItemGroupData></FormData></StudyEventData>
</SubjectData></ClinicalData></ODM>
"""

ITK = """<soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/"
 xmlns:wsa="http://www.w3.org/2005/08/addressing" xmlns:itk="urn:nhs-itk:ns:201005">
<soap:Header><wsa:MessageID>{uuid}</wsa:MessageID>
<wsa:Action>urn:nhs-itk:services:201005:verifyNHSNumber-v1-0</wsa:Action>
<wsa:To>http://{host}/a</wsa:To></soap:Header><soap:Body><itk:DistributionEnvelope>
<itk:header service="urn:nhs-itk:services:201005:verifyNHSNumber-v1-0" trackingid="{uuid}">
<itk:auditIdentity><itk:id uri="urn:nhs-uk:identity:{clinic}"/></itk:auditIdentity>
<itk:manifest count="1"><itk:manifestitem id="{number}" mimetype="text/xml" base64="false"/>
</itk:manifest><itk:senderAddress uri="urn:nhs-uk:addressing:{clinic}"/></itk:header>
<itk:payloads count="1"><itk:payload id="{number}">
<PRPA_IN201301UV02 xmlns="urn:hl7-org:v3"><id root="1.2.3.4.5" extension="{account}"/>
<creationTime value="{stamp}"/><interactionId root="2.16.840.1.113883.1.6"
 extension="PRPA_IN201301UV02"/><processingCode code="P"/>
<controlActProcess classCode="CACT" moodCode="EVN"><subject typeCode="SUBJ">
<registrationEvent classCode="REG" moodCode="EVN"><statusCode code="active"/>
<subject1 typeCode="SBJ"><patient classCode="PAT"><id root="1.2.3.9" extension="{mrn}"/>
<patientPerson classCode="PSN" determinerCode="INSTANCE"><name><given>{given}</given>
<family>{family}</family></name><telecom value="tel:{phone}"/>
<administrativeGenderCode code="F" codeSystem="2.16.840.1.113883.5.1"/>
<birthTime value="{stamp}"/><addr><streetAddressLine>{street}</streetAddressLine>
<city>{city}</city><state>WI</state></addr><asOtherIDs classCode="CIT">
<id root="2.16.840.1.113883.4.1" extension="{ssn}"/></asOtherIDs>
<personalRelationship classCode="PRS"><relationshipHolder1 classCode="PSN"
 determinerCode="INSTANCE"><name>{relative}</name></relationshipHolder1></personalRelationship>
<oddElement value="{family}">{phone}</oddElement></patientPerson></patient></subject1>
</registrationEvent></subject><queryByParameter><queryId root="1.2.9" extension="{number}"/>
<parameterList><livingSubjectName><value><family>{family}</family></value></livingSubjectName>
<livingSubjectId><value root="1.2.3.9" extension="{mrn}"/></livingSubjectId>
<livingSubjectBirthTime><value value="{stamp}"/></livingSubjectBirthTime></parameterList>
</queryByParameter></controlActProcess></PRPA_IN201301UV02></itk:payload></itk:payloads>
</itk:DistributionEnvelope></soap:Body></soap:Envelope>
"""

V2_XML = """<ADT_A01 xmlns="urn:hl7-org:v2xml"><MSH><MSH.1>|</MSH.1><MSH.2>^~\\&amp;</MSH.2>
<MSH.3><HD.1>{clinic}</HD.1></MSH.3><MSH.7><TS.1>{stamp}</TS.1></MSH.7>
<MSH.9><MSG.1>ADT</MSG.1><MSG.2>A01</MSG.2></MSH.9><MSH.10>{number}</MSH.10>
<MSH.11><PT.1>P</PT.1></MSH.11><MSH.12><VID.1>2.5</VID.1></MSH.12></MSH>
<PID><PID.1>1</PID.1><PID.3><CX.1>{mrn}</CX.1><CX.5>MR</CX.5></PID.3>
<PID.3><CX.1>{ssn}</CX.1><CX.5>SS</CX.5></PID.3>
<PID.5><XPN.1><FN.1>{family}</FN.1></XPN.1><XPN.2>{given}</XPN.2></PID.5>
<PID.7><TS.1>{stamp}</TS.1></PID.7><PID.8>F</PID.8>
<PID.11><XAD.1><SAD.1>{street}</SAD.1></XAD.1><XAD.3>{city}</XAD.3><XAD.4>WI</XAD.4></PID.11>
<PID.13><XTN.1>{phone}</XTN.1></PID.13><PID.18><CX.1>{account}</CX.1></PID.18></PID>
<NK1><NK1.1>1</NK1.1><NK1.2><XPN.1><FN.1>{relative}</FN.1></XPN.1></NK1.2></NK1>
<PV1><PV1.2>I</PV1.2><PV1.7><XCN.1>{plan}</XCN.1><XCN.2><FN.1>{provider}</FN.1></XCN.2></PV1.7></PV1>
<OBX><OBX.1>1</OBX.1><OBX.2>TX</OBX.2><OBX.3><CE.1>8251-1</CE.1><CE.2>Comment</CE.2><CE.3>LN</CE.3>
</OBX.3><OBX.5>Mrs. {family} came<escape V=".br"/>on {day}, call {phone}.</OBX.5></OBX>
<ZPI><ZPI.1>{family}</ZPI.1><ZPI.2><ZPI.2.1>{mrn}</ZPI.2.1></ZPI.2></ZPI></ADT_A01>
"""

PLAIN = """<export><header site="{clinic}"/><patients><patient id="{mrn}"><firstName>{given}</firstName>
<lastName>{family}</lastName><birthDate>{birth}</birthDate><sex>F</sex><ssn>{ssn}</ssn>
<address><street>{street}</street><city>{city}</city><phone>{phone}</phone></address>
<field name="Attending">{provider}</field><field name="{family}">{relative}</field>
<email>{email}</email><note>Seen with {given} {family}, phone {phone}, on {day}.</note>
<Vanderquist>{account}</Vanderquist><x7 q="{plan}">{number}</x7></patient></patients></export>
"""

RECORDS = {
    "openehr": OPENEHR,
    "script": SCRIPT,
    "xds": XDS,
    "odm": ODM,
    "itk": ITK,
    "v2": V2_XML,
    "plain": PLAIN,
}
